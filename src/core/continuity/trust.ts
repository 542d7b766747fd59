import type { Declarations, TrunkDeclarations } from "./declaration.ts";

/** Whose word a record is (records.md 14.16). */
export type Trust = "this_device" | "trusted" | "untrusted" | "undeclared";

/** A judgement of keys, and why an untrusted one is. */
export interface TrustJudge {
  of(publicKey: string): Trust;
  /** One clause, for a key that is untrusted. */
  whyNot(publicKey: string): string;
}

function permits(declarations: Declarations, publicKey: string): boolean {
  return declarations.anybody || declarations.allow.has(publicKey);
}

/**
 * Judges keys by the declarations: both the work tree's and the trunk's committed copy must allow a key. A
 * work tree can only take away; one without a declaration is ruled by the trunk's.
 *
 * @param ownKey this device's, where it has one.
 */
export function judgeTrust(
  working: Declarations | undefined,
  trunk: TrunkDeclarations,
  ownKey: string | undefined,
): TrustJudge {
  const committed = trunk.state === "read" ? trunk.declarations : working;
  const here = working ?? committed;
  const allows = (publicKey: string): boolean =>
    here !== undefined &&
    committed !== undefined &&
    permits(here, publicKey) &&
    permits(committed, publicKey);
  return {
    of(publicKey) {
      if (publicKey === ownKey) return "this_device";
      if (here === undefined) return "undeclared";
      return allows(publicKey) ? "trusted" : "untrusted";
    },
    whyNot(publicKey) {
      const onlyHere = here !== undefined && permits(here, publicKey);
      return onlyHere
        ? "its key is allowed in this work tree alone; the trunk's committed declaration must allow it"
        : "its key is not in the declaration's trust.allow";
    },
  };
}
