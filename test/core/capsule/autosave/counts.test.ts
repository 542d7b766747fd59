import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { LARGEST_BYTES } from "../../../../src/core/capsule/autosave/merge.ts";
import { cursorPath } from "../../../../src/core/capsule/autosave/session-token.ts";
import { injectFaults, parseFaultPlan } from "../../../../src/core/fs/fault.ts";
import { capsuleText, newTree, put, textOf } from "../support/memory.ts";
import { assistant, converse, failure, SESSION, tool, user } from "./support.ts";
import type { Conversation } from "./support.ts";

const COUNT = /^- \((\d+) (?:more [a-z ]+, not kept|older entries folded)\)$/;

/** The lines of a section, and what its last lines count: together, everything that was seen. */
function toldOf(
  talk: Conversation,
  heading: string,
  what: string,
): { lines: number; counted: number; all: number } {
  const section = talk.section(heading);
  const lines = section.filter((line) => line.includes(what)).length;
  const counted = section.reduce((sum, line) => sum + Number(COUNT.exec(line)?.[1] ?? 0), 0);
  return { lines, counted, all: lines + counted };
}

const requests = (talk: Conversation): ReturnType<typeof toldOf> => toldOf(talk, "Done", "[OPERATOR]");
const errors = (talk: Conversation): ReturnType<typeof toldOf> =>
  toldOf(talk, "Historical-Errors", "(unresolved when captured)");
const awaited = (talk: Conversation): number =>
  Number(/; (\d+) tool error\(s\) were seen"$/.exec(talk.field("waiting_on"))?.[1] ?? 0);

describe("what is not kept", () => {
  it("is counted over stretches in one line", () => {
    const talk = converse();
    for (let round = 1; round <= 3; round += 1) {
      for (let number = 0; number < 40; number += 1) talk.say(`round ${round} numbered thing ${number}`);
      for (let number = 0; number < 50; number += 1) talk.add(failure(`error ${round} ${number}`));
      talk.capture();
      expect(awaited(talk)).toBe(50 * round);
    }
    expect(talk.section("Done").filter((line) => COUNT.test(line))).toEqual([
      "- (84 more utterances, not kept)",
    ]);
    expect(talk.section("Historical-Errors").at(-1)).toBe("- (90 more errors, not kept)");
    expect([requests(talk).all, errors(talk).all]).toEqual([120, 150]);
  });

  it("is counted beside what is folded, and is never folded itself", () => {
    const talk = converse();
    for (let round = 0; round < 20; round += 1) {
      for (let number = 0; number < 40; number += 1) talk.say(`round ${round} numbered thing ${number}`);
      talk.capture();
    }
    expect(talk.section("Done").slice(-2)).toEqual([
      "- (560 more utterances, not kept)",
      "- (40 older entries folded)",
    ]);
    expect(requests(talk)).toEqual({ lines: 200, counted: 600, all: 800 });
  });

  it("goes on from the lines of older versions, of which each told of one stretch", () => {
    const talk = converse();
    talk.say("Something to begin with here");
    const { capsule = "" } = talk.capture();
    const told = [
      "- (28 more utterances in this stretch, not kept)",
      "- (3 more utterances in this stretch, not kept)",
    ];
    const text = textOf(talk.tree, capsule);
    put(talk.tree, capsule, text.replace("<!-- swe:done -->\n", `<!-- swe:done -->\n${told.join("\n")}\n`));
    for (let number = 0; number < 14; number += 1) talk.say(`numbered thing ${number} of it`);
    talk.capture();
    expect(talk.section("Done").filter((line) => COUNT.test(line))).toEqual([
      "- (33 more utterances, not kept)",
    ]);
  });

  it("adds up to what was seen, whatever rows come", () => {
    const row = fc.oneof(
      // Few words and minutes, so that equal lines come.
      fc
        .tuple(fc.nat(30), fc.nat(2))
        .map(([number, minute]) =>
          user(`numbered thing ${number} of it`, { timestamp: `2026-11-30T09:0${minute}:07Z` }),
        ),
      fc.nat(30).map((number) => failure(number === 0 ? null : `error ${number}`)),
      fc.constant(user("<system-reminder>nobody's</system-reminder>")),
    );
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 60 }), { minLength: 1, maxLength: 4 }), (stretches) => {
        const talk = converse(newTree());
        for (const rows of stretches) {
          talk.add(...rows);
          talk.capture();
        }
        const seen = stretches.flat().map((one) => JSON.stringify(one));
        const said = seen.filter((one) => one.includes("numbered thing")).length;
        const failed = seen.filter((one) => one.includes("is_error")).length;
        if (said + failed === 0) return;
        expect([requests(talk).all, errors(talk).all, awaited(talk)]).toEqual([said, failed, failed]);
      }),
      { numRuns: 20 },
    );
  });

  it("is every use of a file whose path does not stand there", () => {
    const talk = converse();
    const edits = Array.from({ length: 250 }, (_, number) => tool("Edit", { file_path: `/${number}` }));
    talk.add(assistant(...edits, ...edits.slice(0, 100)));
    talk.capture();
    expect(talk.section("Files-Read").at(-1)).toBe("- (50 more uses of files, not kept)");
  });

  it("is counted once, wherever the disk fails between the capsule and its cursor", () => {
    onTestFinished(() => injectFaults(undefined));
    let failed = true;
    for (let at = 1; failed; at += 1) {
      const talk = converse();
      talk.say("Something to begin with here");
      talk.capture();
      for (let number = 0; number < 15; number += 1) talk.say(`numbered thing ${number} of it`);
      talk.add(failure("it broke"));
      injectFaults(parseFaultPlan(`ENOSPC@${at}x100:write,rename,link,unlink,mkdir`));
      failed = talk.capture().outcome !== "flushed";
      injectFaults(undefined);
      talk.say("Something to end with here");
      talk.capture();
      expect([requests(talk).all, errors(talk).all, awaited(talk)], `@${at}`).toEqual([17, 1, 1]);
    }
  });

  it("is not counted again where the conversation is taken again", () => {
    const talk = converse();
    for (let number = 0; number < 30; number += 1) talk.say(`numbered thing ${number} of it`);
    talk.add(failure("it broke"));
    talk.capture();
    const rows = readFileSync(talk.transcript, "utf8");
    writeFileSync(talk.transcript, `${JSON.stringify({ type: "mode" })}\n${rows}`);
    talk.capture();
    expect([requests(talk).all, awaited(talk)]).toEqual([30, 1]);
  });

  it("leaves a wait alone that somebody wrote down", () => {
    const talk = converse();
    talk.add(failure("it broke"));
    const { capsule = "" } = talk.capture();
    put(
      talk.tree,
      capsule,
      textOf(talk.tree, capsule).replace(/^waiting_on: .*$/m, 'waiting_on: "the review"'),
    );
    talk.add(failure("it broke again"));
    talk.capture();
    expect(talk.field("waiting_on")).toBe('"the review"');
  });

  it("for want of room in a capsule that a hand wrote is told in the log", () => {
    const talk = converse();
    talk.say("Something to begin with here");
    talk.capture();
    put(
      talk.tree,
      "curated.md",
      capsuleText({}, `\n<!-- swe:done -->\n${"x".repeat(LARGEST_BYTES - 800)}\n`),
    );
    const cursor = JSON.parse(readFileSync(cursorPath(talk.tree, SESSION), "utf8"));
    writeFileSync(
      cursorPath(talk.tree, SESSION),
      JSON.stringify({
        ...cursor,
        capsule: "curated.md",
        capsule_path: join(talk.tree.capsules, "curated.md"),
      }),
    );
    for (let number = 0; number < 20; number += 1)
      talk.say(`numbered thing ${number} ${"of it ".repeat(30)}`);
    expect(talk.capture().capsule).toBe("curated.md");
    expect(readFileSync(talk.tree.errors, "utf8")).toContain("20 line(s) were not kept");
  });
});
