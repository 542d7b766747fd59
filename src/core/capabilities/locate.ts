import { EXIT, MajordomusError } from "../base/error.ts";
import type { Capability } from "./capability.ts";

/** Loads declarations; each as it is exported, whatever the types of its input and answer. */
type Load = () => Promise<readonly unknown[]>;

/**
 * Which module declares the ids of a family, by their first word. Whoever asks one thing loads one module:
 * to load all of them costs a thread more than most answers do. A family that is not listed is found in the
 * registry.
 */
const FAMILIES: Readonly<Record<string, Load>> = {
  capsule: async () => Object.values(await import("./capsule.ts")),
  check: async () => Object.values(await import("./gate.ts")),
  finish: async () => Object.values(await import("./gate.ts")),
  policy: async () => Object.values(await import("./gate.ts")),
  doctor: async () => (await import("./doctor.ts")).JUDGES,
  watch: async () => (await import("./doctor.ts")).JUDGES,
  hooks: async () => Object.values(await import("./hooks.ts")),
  history: async () => Object.values(await import("./history.ts")),
  lifecycle: async () => Object.values(await import("./lifecycle.ts")),
  prompts: async () => Object.values(await import("./prompts.ts")),
  recover: async () => Object.values(await import("./recover.ts")),
  server: async () => (await import("./serving.ts")).SERVING,
  peers: async () => (await import("./serving.ts")).SERVING,
  announce: async () => (await import("./serving.ts")).SERVING,
  search: async () => Object.values(await import("./search.ts")),
};

async function everything(): Promise<readonly unknown[]> {
  return (await import("./registry.ts")).CAPABILITIES;
}

function withId(declared: readonly unknown[], id: string): Capability | undefined {
  return (declared as readonly Capability[]).find((capability) => capability.id === id);
}

/**
 * The declaration of an id, with no other module loaded than the one that has it.
 *
 * @throws MajordomusError 2 for an id that nothing declares.
 */
export async function locateCapability(id: string): Promise<Capability> {
  const family = id.split(".", 1)[0] ?? "";
  const load = Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined;
  const near = load === undefined ? undefined : withId(await load(), id);
  const capability = near ?? withId(await everything(), id);
  if (capability !== undefined) return capability;
  throw new MajordomusError({
    code: "capability.unknown",
    exit: EXIT.usage,
    subject: id,
    message: "is not a capability",
    remedy: "`majordomus capabilities` lists them",
  });
}
