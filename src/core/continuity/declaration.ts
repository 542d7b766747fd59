import { join, relative, sep } from "node:path";
import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory, readText } from "../fs/read.ts";
import { readBlobs } from "../git/blobs.ts";
import { readTrunk } from "../git/trunk.ts";
import { inert } from "../text/inert.ts";
import { parseYaml } from "../text/yaml.ts";
import { YAML_MAXIMUM_BYTES } from "../text/yaml-limit.ts";
import { declaredFiles } from "./declared-files.ts";

/** Who may speak in a repository: written by a person, in the layer's `mesh` directory. Other keys are not ours to judge. */
const Declaration = z.object({
  schema: z.literal("mesh/v1"),
  kind: z.literal("mesh-declaration"),
  id: z.string(),
  enabled: z.optional(z.boolean()),
  trust: z.optional(
    z.object({
      policy: z.optional(z.enum(["deny_unknown", "tofu", "allowlist"])),
      allow: z.optional(z.nullable(z.array(z.string().check(z.regex(/^[0-9a-f]{64}$/))))),
    }),
  ),
  cooperation: z.optional(
    z.object({
      repository: z.optional(
        z.string().check(
          z.trim(),
          z.refine((value) => value.length >= 1 && value.length <= 128, "is not 1 to 128 characters"),
        ),
      ),
    }),
  ),
});
type Declaration = z.infer<typeof Declaration>;

/** What the declarations of one tree say together. */
export interface Declarations {
  /** Keys that are allowed by name. */
  allow: ReadonlySet<string>;
  /** Every key is. */
  anybody: boolean;
  /** What the repository is called, in place of its root commits. */
  repository: string | undefined;
}

function refuse(subject: string, message: string): MajordomusError {
  return new MajordomusError({
    code: "mesh.invalid",
    exit: EXIT.finding,
    subject,
    message: inert(message),
    remedy: "a declaration that cannot be read allows nobody; correct it",
  });
}

function parseDeclaration(text: string, subject: string): Declaration {
  const fields = parseYaml(text);
  if (!fields.ok) throw refuse(subject, `is not YAML: ${fields.error}`);
  const declaration = Declaration.safeParse(fields.value);
  if (declaration.success) return declaration.data;
  const path = declaration.error.issues[0]?.path.join(".") ?? "";
  throw refuse(subject, `${path === "" ? "the file" : path} is not as it should be`);
}

function combine(
  declarations: readonly { declaration: Declaration; subject: string }[],
): Declarations | undefined {
  const enabled = declarations.filter(({ declaration }) => declaration.enabled !== false);
  if (enabled.length === 0) return undefined;
  const named = new Set(enabled.flatMap(({ declaration }) => declaration.cooperation?.repository ?? []));
  if (named.size > 1) {
    throw refuse(enabled[0]?.subject ?? "", "the declarations name the repository differently");
  }
  return {
    allow: new Set(enabled.flatMap(({ declaration }) => declaration.trust?.allow ?? [])),
    anybody: enabled.some(({ declaration }) => declaration.trust?.policy === "tofu"),
    repository: [...named][0],
  };
}

/**
 * What the work tree's declarations say; undefined where there is none.
 *
 * @throws MajordomusError 10 for one that cannot be read: it is never taken for an absent one.
 */
export function workingDeclarations(checkout: Pick<Checkout, "layout">): Declarations | undefined {
  const directory = join(checkout.layout.repo, "mesh");
  const files = listDirectory(directory).filter((name) => name.endsWith(".yaml") && !name.startsWith("."));
  return combine(
    files.map((name) => {
      const subject = join(directory, name);
      const text = readText(subject, { maximumBytes: YAML_MAXIMUM_BYTES });
      if (!text.ok) throw refuse(subject, text.error.message);
      return { declaration: parseDeclaration(text.value, subject), subject };
    }),
  );
}

/** What the trunk's committed copy says: what nobody has agreed to cannot be slipped in by a work tree alone. */
export type TrunkDeclarations =
  | { state: "read"; declarations: Declarations | undefined }
  /** There is no commit to look at. */
  | { state: "none" };

/**
 * Reads the declarations that the trunk has committed, in at most two processes.
 *
 * @throws MajordomusError 10 for one that cannot be read.
 */
export function trunkDeclarations(
  checkout: Pick<Checkout, "layout" | "repository" | "common" | "root">,
): TrunkDeclarations {
  const trunk = readTrunk(checkout.repository);
  if (trunk === undefined) return { state: "none" };
  const directory = `${relative(checkout.root, join(checkout.layout.repo, "mesh")).split(sep).join("/")}/`;
  const listed = declaredFiles(checkout, trunk.commit, directory);
  if (listed === undefined) return { state: "none" };
  const files = new Map(listed);
  const declarations: { declaration: Declaration; subject: string }[] = [];
  readBlobs(checkout.repository, [...files.keys()], YAML_MAXIMUM_BYTES, (id, blob) => {
    const subject = `${trunk.reference}:${files.get(id) ?? ""}`;
    if (blob.state !== "read") throw refuse(subject, "cannot be read");
    declarations.push({ declaration: parseDeclaration(blob.bytes.toString("utf8"), subject), subject });
  });
  return { state: "read", declarations: combine(declarations) };
}
