import * as z from "zod/mini";
import { acceptFields, refusal } from "./accept.ts";

export const MANIFEST_SCHEMA = "ai-repository/v1";

/** A path below `.ai/`: neither absolute nor leading out of it, on any system. */
function isInside(path: string): boolean {
  if (path.trim() === "" || /[\0\\]/.test(path) || /^(?:\/|[A-Za-z]:)/.test(path)) return false;
  return !path.split("/").includes("..");
}

const InsidePath = z.string().check(z.refine(isInside, { error: "must be a path inside .ai, without `..`" }));
const DocumentName = z
  .string()
  .check(z.refine((name) => isInside(name) && !name.includes("/"), { error: "must be a file name" }));

/** Sections that every manifest names (records.md 1.1). */
export const REQUIRED_SECTIONS = [
  "policy",
  "profiles",
  "rules",
  "prompts",
  "skills",
  "workflows",
  "knowledge",
  "adrs",
  "project",
] as const;

/** Beside the sections known here a manifest may name others: they are directories that we do not read. */
const Sections = z.catchall(
  z.object({
    policy: InsidePath,
    profiles: InsidePath,
    rules: InsidePath,
    prompts: InsidePath,
    skills: InsidePath,
    workflows: InsidePath,
    knowledge: InsidePath,
    adrs: InsidePath,
    project: InsidePath,
    scope: z.optional(InsidePath),
    sessions: z.optional(InsidePath),
  }),
  InsidePath,
);

/** `.ai/manifest.yaml`: the registry of a layer. Paths are relative to `.ai/`. */
export const Manifest = z.strictObject({
  schema: z.literal(MANIFEST_SCHEMA),
  repo: z.strictObject({ path: InsidePath }),
  local: z.strictObject({
    path: InsidePath,
    tracked: z.prefault(z.boolean(), false),
    implicit_context: z.prefault(z.boolean(), false),
  }),
  sections: Sections,
  context: z.prefault(z.strictObject({ documents: z.prefault(z.array(DocumentName), ["README.md"]) }), {}),
});
export type Manifest = z.infer<typeof Manifest>;

/**
 * Takes the fields of a manifest.
 *
 * @throws MajordomusError 10 for another schema, for unknown or missing keys and for paths that lead out of `.ai`.
 */
export function parseManifest(fields: unknown, path: string): Manifest {
  const file = { path, kind: "manifest" };
  const schema =
    typeof fields === "object" && fields !== null && "schema" in fields ? fields.schema : undefined;
  if (typeof schema === "string" && schema !== MANIFEST_SCHEMA) {
    throw refusal(file, "schema", `schema ${schema} is not ${MANIFEST_SCHEMA}`);
  }
  return acceptFields(Manifest, fields, file);
}

/** The manifest that `init` writes. */
export function defaultManifestText(): string {
  const sections = [...REQUIRED_SECTIONS, "sessions"].map((name) =>
    name === "policy" ? "  policy: repo/policy.yaml" : `  ${name}: repo/${name}`,
  );
  return [
    `schema: ${MANIFEST_SCHEMA}`,
    "",
    "repo:",
    "  path: repo",
    "local:",
    "  path: local",
    "  tracked: false",
    "  implicit_context: false",
    "",
    "sections:",
    ...sections,
    "",
    "context:",
    "  documents: [README.md]",
    "",
  ].join("\n");
}
