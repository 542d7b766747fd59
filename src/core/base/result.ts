/** An outcome whose failure is ordinary: the caller must look before it uses the value. */
export type Result<Value, Failure> = { ok: true; value: Value } | { ok: false; error: Failure };

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function failed<Failure>(error: Failure): { ok: false; error: Failure } {
  return { ok: false, error };
}
