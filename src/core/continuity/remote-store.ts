import { EXIT, MajordomusError } from "../base/error.ts";
import type { Cancellation } from "../base/cancellation.ts";
import { runNetworkGit } from "../git/network.ts";
import { objectsSince } from "../git/loose-objects.ts";
import { moveReference, UNOBSERVED } from "../git/plumbing.ts";
import { electedRemote, listRemotes, withoutUserInformation } from "../git/remote.ts";
import { reasonOfFailure } from "../git/run.ts";
import type { GitOutcome } from "../git/run.ts";
import { noteObjects } from "./own-objects.ts";
import type { ContinuityPlace } from "./place.ts";
import { readTip } from "./store-files.ts";
import { STORE_REFERENCE, trackingReference } from "./store.ts";

const REMOTE_NAME = /^(?!-)(?!.*\.\.)[A-Za-z0-9._-]{1,64}$/;

function usage(subject: string, message: string, remedy: string): MajordomusError {
  return new MajordomusError({ code: "continuity.remote", exit: EXIT.usage, subject, message, remedy });
}

/**
 * The remote to sync with: the named one, else the elected one (promise 34).
 *
 * @returns undefined where the repository has none.
 * @throws MajordomusError 2 for a name that is none, and where a person must choose.
 */
export function chooseRemote(
  { checkout }: Pick<ContinuityPlace, "checkout">,
  given: string | undefined,
): string | undefined {
  const { repository, branch } = checkout;
  if (given !== undefined) {
    if (!REMOTE_NAME.test(given))
      throw usage(given, "is not the name of a remote", "`git remote` lists them");
    const names = listRemotes(repository).map(({ name }) => name);
    if (names.includes(given)) return given;
    throw usage(given, "is not a remote of this repository", `it has ${names.join(", ") || "none"}`);
  }
  const elected = electedRemote(repository, branch);
  if (!elected.ok) {
    throw usage(
      "remote",
      `which one? none is this branch's, none is origin: ${elected.error.join(", ")}`,
      "name one with --remote",
    );
  }
  const name = elected.value?.name;
  if (name !== undefined && !REMOTE_NAME.test(name)) {
    throw usage(name, "is a name that no reference can be made of", "name another one with --remote");
  }
  return name;
}

/** How long the talk with a remote may go on, and whether anybody still waits. */
export interface Talk {
  /** Milliseconds, by a clock that only goes forward. */
  deadline: number;
  signal: Cancellation;
}

const SHORTEST_MILLISECONDS = 250;

/** Milliseconds that are left of a talk. */
export function timeLeft({ deadline }: Talk): number {
  return Math.max(0, deadline - performance.now());
}

function say(place: ContinuityPlace, command: readonly string[], talk: Talk): Promise<GitOutcome> {
  return runNetworkGit(place.store.repository, [...UNOBSERVED, ...command], {
    timeoutMilliseconds: Math.max(SHORTEST_MILLISECONDS, timeLeft(talk)),
    signal: talk.signal,
  });
}

/** Why a remote did not do what it was asked to, in one line that repeats nobody's password. */
function reasonOf(command: readonly string[], outcome: GitOutcome): string {
  const reason = reasonOfFailure(command, outcome);
  // ssh and other carriers say what happened before git says that it could not read.
  const [told = ""] = outcome.stderr.split(/\r?\n/);
  const carried = /^(?:ssh|kex_exchange_identification|curl)\b.*: ./.test(told) ? `${told}: ` : "";
  return `${carried}${reason}`
    .split(/(\s|')/)
    .map(withoutUserInformation)
    .join("")
    .slice(0, 300);
}

export type RemoteAnswer<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: string; contended: boolean };

/** Others that move the same reference at the same moment: another try may do. */
const CONTENDED =
  /\[rejected\]|fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value|unable to (?:create|lock)|reference already exists|couldn't find remote ref/i;

function answerOf<Value>(
  command: readonly string[],
  outcome: GitOutcome,
  value: () => Value,
): RemoteAnswer<Value> {
  if (outcome.status === 0) return { ok: true, value: value() };
  const told = `${outcome.stdout.toString("utf8")}\n${outcome.stderr}`;
  return { ok: false, reason: reasonOf(command, outcome), contended: CONTENDED.test(told) };
}

/** Asks a remote what it has; undefined where it has no records. */
export async function askRemote(
  place: ContinuityPlace,
  remote: string,
  talk: Talk,
): Promise<RemoteAnswer<string | undefined>> {
  const command = ["ls-remote", "--refs", remote, STORE_REFERENCE];
  const outcome = await say(place, command, talk);
  return answerOf(command, outcome, () => {
    const lines = outcome.stdout.toString("latin1").split("\n");
    return lines.map((line) => line.split("\t")).find(([, name]) => name === STORE_REFERENCE)?.[0];
  });
}

/** Fetches what a remote has into a reference of its own; its commit. Nothing else of the repository moves. */
export async function fetchRemote(
  place: ContinuityPlace,
  remote: string,
  talk: Talk,
): Promise<RemoteAnswer<string | undefined>> {
  const tracking = trackingReference(remote);
  const { repository } = place.store;
  const before = readTip(repository, tracking);
  const command = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    // Whatever the user has configured for his own fetches is not for this one.
    "--refmap=",
    "--no-prune",
    "--no-filter",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    remote,
    `+${STORE_REFERENCE}:${tracking}`,
  ];
  const outcome = await say(place, command, talk);
  return answerOf(command, outcome, () => {
    const tip = readTip(repository, tracking);
    if (tip !== undefined && tip !== before) noteObjects(place, objectsSince(repository, tip, before));
    return tip;
  });
}

/** Sends the store as it stood at `tip`; never by force, and without the user's hooks. */
export async function pushStore(
  place: ContinuityPlace,
  remote: string,
  tip: string,
  talk: Talk,
): Promise<RemoteAnswer<true>> {
  const command = [
    "-c",
    `remote.${remote}.mirror=false`,
    "push",
    "--quiet",
    "--porcelain",
    "--no-verify",
    "--no-signed",
    "--no-follow-tags",
    "--recurse-submodules=no",
    remote,
    `${tip}:${STORE_REFERENCE}`,
  ];
  const outcome = await say(place, command, talk);
  const answer = answerOf(["push"], outcome, (): true => true);
  if (!answer.ok) {
    // The remote's own words, where it has said something about this reference.
    const refused = /^!\t[^\t]*\t(.+)$/m.exec(outcome.stdout.toString("utf8"))?.[1];
    return refused === undefined ? answer : { ...answer, reason: refused.slice(0, 300) };
  }
  const { repository } = place.store;
  const tracking = trackingReference(remote);
  moveReference(repository, tracking, tip, readTip(repository, tracking), "majordomus continuity");
  return answer;
}
