/** What is used of WebAssembly's memory: the types of this project are the language's and Node's. */
type MakeMemory = new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
type Poll = (subscriptions: number, events: number, count: number, answers: number) => number;

// Where the question and its answers stand in the memory, in bytes (WASI preview 1, `poll_oneoff`).
const CLOCK = 0;
const ACCESS = 48;
const EVENTS = 96;
const EVENT_BYTES = 32;
const ANSWERS = EVENTS + 2 * EVENT_BYTES;
const AT_KIND = 8;
const AT_CLOCK_NAME = 16;
const AT_FILE = 16;
const AT_DURATION = 24;

/** What is waited for, and by which of its three standard files WASI knows the descriptor. */
const WAITS = { read: { kind: 1, file: 0 }, write: { kind: 2, file: 1 } } as const;
const MONOTONIC = 1;
const SUCCESS = 0;
const NANOSECONDS = 1_000_000;

/**
 * A way to wait for a pipe or a socket that can be given up, without the event loop: Node's streams cost a hook more
 * than the rest of its work. WASI is where Node offers the system's poll. The descriptor stops to block by that, as
 * it does in Node's streams, and Node sets it back when the process ends.
 *
 * @returns waits for so many milliseconds and says whether there is something to read, or the end of it, or room to write;
 *   undefined where this Node offers no such wait.
 * @throws what the wait itself was told.
 */
export function waitOn(
  descriptor: number,
  access: keyof typeof WAITS,
): ((milliseconds: number) => boolean) | undefined {
  const asked = askSystem(descriptor);
  if (asked === undefined) return undefined;
  const { poll, view } = asked;
  view.setBigUint64(CLOCK, BigInt(CLOCK), true);
  view.setUint32(CLOCK + AT_CLOCK_NAME, MONOTONIC, true);
  view.setBigUint64(ACCESS, BigInt(ACCESS), true);
  view.setUint8(ACCESS + AT_KIND, WAITS[access].kind);
  view.setUint32(ACCESS + AT_FILE, WAITS[access].file, true);
  return (milliseconds) => {
    // Of a wait for nothing the clock is told alone, whatever there is to read.
    const duration = Math.ceil(Math.max(1, milliseconds) * NANOSECONDS);
    view.setBigUint64(CLOCK + AT_DURATION, BigInt(duration), true);
    const code = poll(CLOCK, EVENTS, 2, ANSWERS);
    if (code !== SUCCESS) throw new Error(`it cannot be waited for (WASI error ${code})`);
    const count = view.getUint32(ANSWERS, true);
    for (let event = EVENTS; event < EVENTS + count * EVENT_BYTES; event += EVENT_BYTES) {
      if (view.getBigUint64(event, true) === BigInt(ACCESS)) return true;
    }
    return false;
  };
}

function askSystem(descriptor: number): { poll: Poll; view: DataView } | undefined {
  const { WebAssembly } = globalThis as { WebAssembly?: { Memory: MakeMemory } };
  const warning = Object.getOwnPropertyDescriptor(process, "emitWarning");
  try {
    // Node warns on standard error of what it calls an experiment, and a provider may show that to a person.
    process.emitWarning = () => undefined;
    if (WebAssembly === undefined) return undefined;
    const { WASI } = process.getBuiltinModule("node:wasi");
    const [stdin, stdout, stderr] = [descriptor, descriptor, descriptor];
    const wasi = new WASI({ version: "preview1", stdin, stdout, stderr });
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    wasi.initialize({ exports: { memory } });
    const poll: unknown = wasi.wasiImport["poll_oneoff"];
    return typeof poll === "function" ? { poll: poll as Poll, view: new DataView(memory.buffer) } : undefined;
  } catch {
    return undefined;
  } finally {
    if (warning !== undefined) Object.defineProperty(process, "emitWarning", warning);
  }
}
