import { SECTIONS } from "../framing.ts";
import type { Section } from "../framing.ts";
import { changesOf } from "./bullets.ts";
import { NO_DELTA } from "./delta.ts";
import type { Delta } from "./delta.ts";
import { bulletsIn } from "./sections.ts";

const TIME = /^- \d{2}:\d{2} /;

/** What a line says, at whatever time of day: a row that tells none got that of its first reading. */
function saidIn(line: string): string {
  return line.trimEnd().replace(TIME, "- ");
}

/**
 * What is new of a stretch that is read a second time, since nobody knows any more how far it was taken: what the
 * session's capsules hold is left out, and what the bounds leave out was left out before.
 *
 * @param bodies of all capsules of the session, in Latin-1.
 */
export function withoutHeld(delta: Delta, bodies: readonly string[]): Delta {
  const held = new Map<Section["name"], Set<string>>(
    SECTIONS.map(({ name }) => [
      name,
      new Set(bodies.flatMap((body) => bulletsIn(body, name)).map((line) => saidIn(line))),
    ]),
  );
  const isNew = (part: Partial<Delta>): boolean => {
    const { bullets, events } = changesOf({ ...NO_DELTA, ...part }, 0);
    return SECTIONS.some(({ name }) =>
      [...(bullets[name] ?? []), ...(events[name] ?? [])].some(
        (line) => held.get(name)?.has(saidIn(line)) !== true,
      ),
    );
  };
  const { lastAssistant } = delta;
  return {
    ...delta,
    utterances: delta.utterances.filter((moment) => isNew({ utterances: [moment] })),
    errors: delta.errors.filter((moment) => isNew({ errors: [moment] })),
    read: delta.read.filter((path) => isNew({ read: [path] })),
    modified: delta.modified.filter((path) => isNew({ modified: [path] })),
    claims: delta.claims.filter((claim) => isNew({ claims: [claim] })),
    lastAssistant: lastAssistant !== undefined && isNew({ lastAssistant }) ? lastAssistant : undefined,
    dropped: NO_DELTA.dropped,
  };
}
