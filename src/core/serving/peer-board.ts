import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import { formatTimestamp } from "../base/time.ts";

const text = z.string();

/** What a peer says it is at work on. */
export const PeerClaim = z.object({
  text,
  paths: z.optional(z.array(text)),
  announced_at: text,
});
export type PeerClaim = z.infer<typeof PeerClaim>;

export const PeerView = z.object({
  /** The handle that it is known by: its episode, or one that the server made for it. */
  id: text,
  /** What its client calls itself. */
  name: z.optional(text),
  attached_at: text,
  last_seen_seconds_ago: z.int(),
  /** Whether a connection of it is open now. */
  connected: z.boolean(),
  /** What it announced, the newest first. */
  claims: z.array(PeerClaim),
});
export type PeerView = z.infer<typeof PeerView>;

/** A handle in a file name, a URL or a terminal must stay one word. */
export const PeerHandle = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
      "must be 1 to 128 letters, digits, `.`, `_` and `-`, the first a letter or a digit",
    ),
  );

export const ANNOUNCED_CHARACTERS = 200;
export const ANNOUNCED_PATHS = 50;

interface Peer {
  id: string;
  name?: string;
  attachedAt: number;
  seenAt: number;
  connections: number;
  claims: readonly PeerClaim[];
}

/** More workers than ever share a checkout; beyond it the one that was silent longest is forgotten. */
const PEERS = 200;
/** What somebody is at work on, not a log of it. */
const CLAIMS = 5;
/** Who neither is connected nor said anything for so long has left. */
const SILENCE_MILLISECONDS = 15 * 60_000;

/**
 * Who else is at work in a checkout, and on what: in the server's memory alone, and gone with it. A board records no
 * episode and decides nothing; the workers read it.
 */
export class PeerBoard {
  readonly #peers = new Map<string, Peer>();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #changed: () => void;

  /** @param changed told when something on the board is another than before. */
  constructor({ clock, random }: { clock: Clock; random: Random }, changed: () => void = () => undefined) {
    this.#clock = clock;
    this.#random = random;
    this.#changed = changed;
  }

  /**
   * A client that has opened a connection, or asks for the first time.
   *
   * @returns its handle, made where it has none
   */
  attach({ id, name }: { id?: string; name?: string } = {}): string {
    const peer = this.#seen(id ?? `p-${this.#random.hex(4)}`, name);
    peer.connections += 1;
    this.#changed();
    return peer.id;
  }

  /** A connection of a client has ended; what it announced stays until it was silent for long. */
  detach(id: string): void {
    const peer = this.#peers.get(id);
    if (peer === undefined) return;
    peer.connections = Math.max(0, peer.connections - 1);
    // Nobody misses a client that never said anything.
    if (peer.connections === 0 && peer.claims.length === 0) this.#peers.delete(id);
    this.#changed();
  }

  /** A sign of life of a client. */
  touch(id: string): void {
    if (this.#peers.has(id)) this.#seen(id);
  }

  /**
   * Puts on the board what somebody is at work on; an empty text takes everything of theirs away.
   *
   * @throws MajordomusError 2 for a text that is too long, or too many paths.
   */
  announce({ id, text: said, paths }: { id?: string; text: string; paths?: readonly string[] }): PeerView {
    refuseUnlessShort(said, paths);
    const peer = this.#seen(id ?? `p-${this.#random.hex(4)}`);
    const claim: PeerClaim = {
      text: said,
      ...(paths === undefined || paths.length === 0 ? {} : { paths: [...paths] }),
      announced_at: formatTimestamp(this.#clock.now()),
    };
    const others = peer.claims.filter((known) => known.text !== said);
    peer.claims = said === "" ? [] : [claim, ...others].slice(0, CLAIMS);
    this.#changed();
    return this.#view(peer);
  }

  /** Everybody who is there, those who announced something first, then by their handles. */
  list(): PeerView[] {
    this.#forget();
    return [...this.#peers.values()]
      .map((peer) => this.#view(peer))
      .toSorted(
        (one, other) =>
          Math.sign(other.claims.length) - Math.sign(one.claims.length) || (one.id < other.id ? -1 : 1),
      );
  }

  #seen(id: string, name?: string): Peer {
    const now = this.#clock.now();
    const known = this.#peers.get(id);
    const peer: Peer = known ?? { id, attachedAt: now, seenAt: now, connections: 0, claims: [] };
    peer.seenAt = now;
    if (name !== undefined) peer.name = name;
    // Insertion order is the order of the last sign of life.
    this.#peers.delete(id);
    this.#peers.set(id, peer);
    this.#forget();
    return peer;
  }

  #forget(): void {
    const now = this.#clock.now();
    for (const peer of this.#peers.values()) {
      const silent = now - peer.seenAt > SILENCE_MILLISECONDS;
      const tooMany = this.#peers.size > PEERS;
      if (peer.connections === 0 && (silent || tooMany)) this.#peers.delete(peer.id);
    }
  }

  #view({ id, name, attachedAt, seenAt, connections, claims }: Peer): PeerView {
    return {
      id,
      ...(name === undefined ? {} : { name }),
      attached_at: formatTimestamp(attachedAt),
      last_seen_seconds_ago: Math.max(0, Math.floor((this.#clock.now() - seenAt) / 1000)),
      connected: connections > 0,
      claims: [...claims],
    };
  }
}

function refuseUnlessShort(said: string, paths: readonly string[] = []): void {
  const message =
    [...said].length > ANNOUNCED_CHARACTERS
      ? `an announcement has at most ${ANNOUNCED_CHARACTERS} characters`
      : paths.length > ANNOUNCED_PATHS
        ? `an announcement names at most ${ANNOUNCED_PATHS} paths`
        : undefined;
  if (message === undefined) return;
  throw new MajordomusError({ code: "announce.too_long", exit: EXIT.usage, message });
}
