import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readBody, refuseBody } from "../../src/cli/stdin.ts";

describe("a body on standard input", () => {
  it("is read to its end, across chunks that split a character", async () => {
    const bytes = Buffer.from("# Što je bilo\n– i šta sledi\n");
    const chunks = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await readBody(Readable.from(chunks))).toBe(bytes.toString("utf8"));
  });

  it("is empty on a terminal, which is never waited for", async () => {
    expect(await readBody(Object.assign(new PassThrough(), { isTTY: true }))).toBe("");
  });

  it("is empty when the input is", async () => {
    expect(await readBody(Readable.from([]))).toBe("");
  });

  it("is absent when a pipe stays open and silent", async () => {
    const pipe = new PassThrough();
    expect(await readBody(pipe, { patienceMilliseconds: 5 })).toBeUndefined();
    expect(pipe.destroyed).toBe(true);
  });

  it("is awaited to its end once it has begun", async () => {
    const pipe = new PassThrough();
    pipe.write("first ");
    const body = readBody(pipe, { patienceMilliseconds: 60_000 });
    pipe.end("second");
    expect(await body).toBe("first second");
  });

  it("is refused when it is no text, or too much", async () => {
    await expect(readBody(Readable.from([Buffer.from([0xff, 0xfe])]))).rejects.toMatchObject({ exit: 2 });
    const large = Readable.from([Buffer.alloc(600_000, "a"), Buffer.alloc(600_000, "b")]);
    await expect(readBody(large)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining("1048576"),
    });
  });

  it("says what the system said when it cannot be read", async () => {
    const broken = new PassThrough();
    const body = readBody(broken);
    broken.destroy(new Error("read EIO"));
    await expect(body).rejects.toMatchObject({ exit: 13, message: "read EIO" });
  });
});

describe("a body that would be passed over", () => {
  it("is refused, once it says something", async () => {
    await expect(
      refuseBody(Readable.from([Buffer.from(" \n"), Buffer.from("x")]), "--derive"),
    ).rejects.toMatchObject({
      exit: 2,
      message: "holds a body, and --derive makes one: they exclude each other",
    });
    const endless = new PassThrough();
    endless.write("x");
    await expect(refuseBody(endless, "--derive")).rejects.toMatchObject({ exit: 2 });
    expect(endless.destroyed).toBe(true);
  });

  it("is none on a terminal, in an empty input, in blanks, in a broken input or in a pipe that stays silent", async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error("EISDIR"));
      },
    });
    const silent = new PassThrough();
    for (const stdin of [
      Object.assign(Readable.from([Buffer.from("x")]), { isTTY: true }),
      Readable.from([]),
      Readable.from([Buffer.from(" \n\t")]),
      broken,
      silent,
    ]) {
      expect(await refuseBody(stdin, "--derive")).toBeUndefined();
    }
    expect(silent.destroyed).toBe(true);
  });
});
