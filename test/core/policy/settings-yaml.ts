import { MajordomusError } from "../../../src/core/base/error.ts";
import { parseYaml } from "../../../src/core/text/yaml.ts";

/** The fields of a YAML text that a test wrote itself. */
export function fieldsOf(text: string): unknown {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

/** The refusal that `action` must end in. */
export function refusalOf(action: () => unknown): MajordomusError {
  try {
    action();
  } catch (error) {
    if (error instanceof MajordomusError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
