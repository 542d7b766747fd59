import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import * as pty from "@lydell/node-pty";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { malformedInputs } from "./support/fixtures.ts";

const directory = mkdtempSync(join(tmpdir(), "mj-read-payload-"));
const program = join(directory, "read-payload.cjs");

/** Reads standard input as a hook does and prints what came of it. */
const PROGRAM = `
  import { decodeText, readPayload } from "../../src/hooks/payload.ts";
  const [deadline = "1000", maximum = "8388608"] = process.argv.slice(2);
  const limits = { deadlineMilliseconds: Number(deadline), maximumBytes: Number(maximum) };
  readPayload(0, limits).then((answer) => {
    const shown = answer.ok
      ? { text: decodeText(answer.value).slice(0, 200), bytes: answer.value.length }
      : answer;
    process.stdout.write(JSON.stringify(shown), () => process.exit(0));
  });
`;

const withoutWait = join(directory, "without-wait.cjs");

beforeAll(() => {
  writeFileSync(withoutWait, "delete globalThis.WebAssembly;");
  buildSync({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The reader as a shell starts it. */
function inShell(): string {
  return [process.execPath, ...engine, program].map((word) => `"${word}"`).join(" ");
}

/** Runs the reader with this standard input and gives what it said. `write` may leave the input open. */
async function read(
  input: "pipe" | "ignore" | number,
  write: (stdin: Writable) => void = () => {},
  options: string[] = [],
): Promise<unknown> {
  const child = spawn(process.execPath, [...engine, program, ...options], {
    stdio: [input, "pipe", "pipe"],
  });
  child.stdin?.on("error", () => {});
  if (child.stdin) write(child.stdin);
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, complaint]).toEqual([0, ""]);
  return JSON.parse(output) as unknown;
}

const object = '{"session_id":"s","x":"}"}';

/** Options of Node: without WebAssembly there is no wait, and the payload comes through Node's streams. */
let engine: readonly string[] = [];

describe.each([
  { name: "waiting for it", options: [] },
  { name: "through Node's streams", options: ["--require", withoutWait] },
])("reading a payload from standard input, $name", ({ options }) => {
  beforeAll(() => {
    engine = options;
  });

  it("answers at the end of the value although nobody closes the pipe", async () => {
    const answer = await read("pipe", (stdin) => stdin.write(object), ["600000"]);
    expect(answer).toEqual({ text: object, bytes: object.length });
  });

  it("takes a value that comes in pieces, and leaves what follows", async () => {
    const answer = await read(
      "pipe",
      (stdin) => {
        stdin.write(object.slice(0, 9));
        setTimeout(() => stdin.write(`${object.slice(9)}\n${object}`), 30);
      },
      ["600000"],
    );
    expect(answer).toEqual({ text: object, bytes: object.length });
  });

  it("takes a payload larger than a pipe's buffer", async () => {
    const large = JSON.stringify({ text: "tide ".repeat(100_000) });
    const answer = await read("pipe", (stdin) => stdin.write(large), ["600000"]);
    expect(answer).toMatchObject({ bytes: large.length });
  });

  it("gives up at the deadline", async () => {
    expect(await read("pipe", () => {}, ["50"])).toEqual({
      ok: false,
      error: "payload is empty (none within 50 ms)",
    });
    expect(await read("pipe", (stdin) => stdin.write('{"a":'), ["500"])).toEqual({
      ok: false,
      error: "payload is incomplete after 5 bytes (none within 500 ms)",
    });
  });

  it("stops at the limit", async () => {
    const answer = await read("pipe", (stdin) => stdin.write(`{"a":"${"x".repeat(5000)}`), [
      "600000",
      "4096",
    ]);
    expect(answer).toEqual({ ok: false, error: "payload is larger than 4096 bytes" });
  });

  it("says of an end that came too early what is missing", async () => {
    const ended = read("pipe", (stdin) => stdin.end(), ["600000"]);
    expect(await ended).toEqual({ ok: false, error: "payload is empty (end of input)" });
    expect(await read("pipe", (stdin) => stdin.end('{"a":1'), ["600000"])).toEqual({
      ok: false,
      error: "payload is incomplete after 6 bytes (end of input)",
    });
  });

  it("answers at once to text that cannot become an object", async () => {
    const answer = await read("pipe", (stdin) => stdin.write("usage: nothing useful\n"), ["600000"]);
    expect(answer).toEqual({ text: "usage: ", bytes: 7 });
  });

  it("reads no device", async () => {
    const answer = await read("ignore", undefined, ["600000"]);
    expect(answer).toEqual({ ok: false, error: "standard input is a device, not a payload" });
  });

  it("reads no device in place of a closed standard input", () => {
    const command = `exec ${inShell()} 600000 <&-`;
    const answer = execFileSync("sh", ["-c", command], { encoding: "utf8" });
    expect(JSON.parse(answer)).toMatchObject({ ok: false });
  });

  it.each([
    ["what waits", `printf '%s' '${object}'`, { text: object, bytes: object.length }],
    [
      "what comes in pieces",
      `printf '{"a":'; sleep 0.3; printf '1}'; exec sleep 1`,
      { text: '{"a":1}', bytes: 7 },
    ],
    [
      "an end that came too early",
      `printf '{"a":'`,
      { error: "payload is incomplete after 5 bytes (end of input)" },
    ],
    ["nothing", ":", { error: "payload is empty (end of input)" }],
  ])("takes from a shell's pipe %s", (_, write, expected) => {
    const command = `{ ${write}; } | ${inShell()} 600000`;
    const answer = execFileSync("sh", ["-c", command], { encoding: "utf8" });
    expect(JSON.parse(answer)).toMatchObject(expected);
  });

  it("leaves a shell's pipe as it was for whoever reads on", () => {
    const command = `{ printf '%s' '${object}'; sleep 0.5; printf 'more'; } | { ${inShell()} 600000; cat; }`;
    const answer = execFileSync("sh", ["-c", command], { encoding: "utf8" });
    expect(answer).toBe(`${JSON.stringify({ text: object, bytes: object.length })}more`);
  });

  it("reads no terminal", async () => {
    const terminal = pty.spawn(process.execPath, [...engine, program, "600000"], { cols: 120 });
    let output = "";
    terminal.onData((data) => (output += data));
    await new Promise((resolve) => terminal.onExit(resolve));
    expect(output).toContain("standard input is a terminal, not a payload");
  });

  it("says of a file what it says of a pipe", async () => {
    await Promise.all(
      malformedInputs().map(async ({ file, path, bytes }) => {
        const descriptor = openSync(path, "r");
        const answer = await read(descriptor, undefined, ["600000"]);
        closeSync(descriptor);
        expect(answer, file).toHaveProperty(/^(?:empty|whitespace|truncated)/.test(file) ? "error" : "text");
        expect(await read("pipe", (stdin) => stdin.end(bytes)), file).toEqual(answer);
      }),
    );
  });
});
