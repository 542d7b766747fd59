import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { readJournalTail } from "../../../src/core/journal/event-journal.ts";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { writeHandover } from "../../../src/core/task/handover.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";

const END = { reason: "prompt_input_exit", closes: true };
const BODY = "# Objective\na\n# Current State\nb\n# Next Action\nc\n";

/** What became of the handover at the end of this session. */
async function end(place: Place, session: string): Promise<string | undefined> {
  await place.fire("end", session, END);
  const newest = readJournalTail(await place.checkout()).findLast(({ phase }) => phase === "outcome");
  return newest?.steps?.find(({ step }) => step === "handover")?.result;
}

function handOver(checkout: Checkout, session: string): void {
  const author = {
    session: readRegistration(checkout.common, "claude-code", session)?.registration.session_id,
  };
  writeHandover(checkout, BODY, { noTask: true }, author, new Moment(checkout.repository, checkout.head));
}

/** A repository whose tracked file, and a directory of new ones, differ already, and were handed over. */
async function dirtyPlace(): Promise<{ place: Place; edit: (text: string, path?: string) => void }> {
  const place = await newPlace();
  commitFile(place.root, "a.txt", "0");
  commitFile(place.root, "b.txt", "0");
  mkdirSync(join(place.root, "new/deep"), { recursive: true });
  const edit = (text: string, path = "a.txt"): void => writeFileSync(join(place.root, path), text);
  await place.fire("start", "first");
  edit("1");
  edit("1", "new/deep/er.txt");
  expect(await end(place, "first")).toBe("done");
  return { place, edit };
}

describe("the end of a session that changed no name in git's list", () => {
  it.each<[string, (root: string) => void]>([
    ["went on with a file that differed already", (root) => writeFileSync(join(root, "a.txt"), "2")],
    ["put as many other bytes there", (root) => writeFileSync(join(root, "a.txt"), "9")],
    ["removed a file that differed already", (root) => rmSync(join(root, "a.txt"))],
    ["wrote into a directory of new files", (root) => writeFileSync(join(root, "new/deep/er.txt"), "2")],
    ["made a file in a directory of new files", (root) => writeFileSync(join(root, "new/more.txt"), "2")],
    ["took a change back", (root) => git(root, "checkout", "-q", "a.txt")],
  ])("%s, hands over", async (_, work) => {
    const { place } = await dirtyPlace();
    await place.fire("start", "second");
    work(place.root);
    expect(await end(place, "second")).toBe("done");
    await place.fire("start", "third");
    expect(await end(place, "third")).toBe("skipped");
  });

  it("did nothing, hands over nothing: not what was edited before it began, nor what was handed over", async () => {
    const { place, edit } = await dirtyPlace();
    edit("by a person");
    await place.fire("start", "second");
    expect(await end(place, "second")).toBe("skipped");
    await place.fire("start", "third");
    edit("2");
    handOver(await place.checkout(), "third");
    expect(await end(place, "third")).toBe("skipped");
  });

  it("went on after its own handover, hands over once more", async () => {
    const { place, edit } = await dirtyPlace();
    await place.fire("start", "second");
    edit("2");
    handOver(await place.checkout(), "second");
    edit("3");
    expect(await end(place, "second")).toBe("done");
    const { layout } = await place.checkout();
    expect(readdirSync(layout.handovers).filter((name) => name.endsWith(".md"))).toHaveLength(3);
  });

  it("cleaned up after its own handover, says so", async () => {
    const { place } = await dirtyPlace();
    await place.fire("start", "second");
    handOver(await place.checkout(), "second");
    git(place.root, "checkout", "-q", "a.txt");
    rmSync(join(place.root, "new"), { recursive: true });
    expect(await end(place, "second")).toBe("done");
    const { layout } = await place.checkout();
    const newest = readdirSync(layout.handovers)
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(join(layout.handovers, name), "utf8"))
      .find((text) => text.includes("Derived by") && text.includes("0 file(s) changed"));
    expect(newest).toBeDefined();
  });
});
