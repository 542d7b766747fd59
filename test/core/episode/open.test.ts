import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listEnded, readRegistration } from "../../../src/core/journal/registration.ts";
import { readPointer } from "../../../src/core/records/pointer.ts";
import { sessionKey } from "../../../src/core/records/session-key.ts";
import { newPlace } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";

describe("openEpisode", () => {
  it("writes open file, registration, pointer, ledger line, shadow journal and working context", async () => {
    const place = await newPlace();
    await place.fire("start", "abc-1");
    const { layout, common } = await place.checkout();
    const entry = readRegistration(common, "claude-code", "abc-1");
    const id = entry?.registration.session_id ?? "";
    expect(id).toMatch(/^s-20260904120000-[0-9a-f]{4}$/);
    expect(readFileSync(join(layout.sessionsOpen, "abc-1.yaml"), "utf8")).toContain(`session_id: ${id}\n`);
    expect(readPointer(layout)).toMatchObject({ layout: "pointer", sessionId: id, resolves: true });
    expect(readFileSync(layout.ledger, "utf8")).toContain(`"event":"session.started"`);
    expect(readFileSync(join(common.journal, `${id}.jsonl`), "utf8").split("\n")[0]).toContain(id);
    expect(readdirSync(layout.contexts)).toEqual([`20260904T120000Z--${id}.md`]);
  });

  it("keeps an episode that is open: the same start changes neither its id nor its time", async () => {
    const place = await newPlace();
    await place.fire("start", "abc-1");
    const { layout } = await place.checkout();
    const before = readFileSync(join(layout.sessionsOpen, "abc-1.yaml"), "utf8");
    place.clock.forward(30);
    for (let times = 0; times < 4; times += 1) await place.fire("start", "abc-1", { source: "resume" });
    expect(readFileSync(join(layout.sessionsOpen, "abc-1.yaml"), "utf8")).toBe(before);
    expect(readFileSync(layout.ledger, "utf8").match(/session\.started/g)).toHaveLength(1);
    expect(readFileSync(layout.ledger, "utf8").match(/provider\.event\.received/g)).toHaveLength(5);
    expect(readdirSync(layout.contexts)).toHaveLength(1);
  });

  it("opens a new episode that continues the sealed one when the same session starts again", async () => {
    const place = await newPlace();
    await place.fire("start", "abc-1");
    await place.fire("end", "abc-1", { reason: "clear", closes: true });
    place.clock.forward(60);
    await place.fire("prompt", "abc-1");
    const { common, layout } = await place.checkout();
    const [ended] = listEnded(common);
    const open = readRegistration(common, "claude-code", "abc-1");
    expect(open?.registration.continues).toEqual({
      session_id: ended?.session_id,
      evidence: "the same provider session id",
    });
    expect(readFileSync(layout.ledger, "utf8")).toContain(`"continues":"${ended?.session_id}"`);
  });

  it("does not guess a continuation from time and place alone", async () => {
    const place = await newPlace();
    await place.fire("start", "abc-1");
    await place.fire("end", "abc-1", { reason: "clear", closes: true });
    await place.fire("start", "abc-2", { source: "clear" });
    const { common } = await place.checkout();
    expect(readRegistration(common, "claude-code", "abc-2")?.registration.continues).toBeUndefined();
  });

  it("pairs an end and a start of one process within ten seconds", async () => {
    const place = await newPlace();
    await place.fire("start", "abc-1", { processId: process.pid });
    await place.fire("end", "abc-1", { reason: "clear", closes: true, processId: process.pid });
    await place.fire("start", "abc-2", { source: "clear", processId: process.pid });
    const { common } = await place.checkout();
    expect(readRegistration(common, "claude-code", "abc-2")?.registration.continues?.evidence).toContain(
      "one process",
    );
  });

  it("gives two raw ids with one key two files", async () => {
    const place = await newPlace();
    await place.fire("start", "a b");
    await place.fire("start", "a-b");
    expect(sessionKey("a b")).toBe(sessionKey("a-b"));
    const { layout, common } = await place.checkout();
    expect(readdirSync(layout.sessionsOpen)).toHaveLength(2);
    const ids = ["a b", "a-b"].map(
      (raw) => readRegistration(common, "claude-code", raw)?.registration.session_id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("writes the open file again when somebody deleted it under a registered episode", async () => {
    const place = await newPlace();
    await place.fire("start", "abc-1");
    const { layout } = await place.checkout();
    const path = join(layout.sessionsOpen, "abc-1.yaml");
    const before = readFileSync(path, "utf8");
    renameSync(path, `${path}.away`);
    await place.fire("start", "abc-1", { source: "resume" });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("adopts an open file of this very session that no registration knows", async () => {
    const place = await newPlace();
    const { layout, common, localRepositoryId } = await place.checkout();
    const text = [
      "session_id: s-20260901000000-9d9d",
      "started_at: 2026-09-01T00:00:00Z",
      'owner: "dev"',
      'provider: "claude-code"',
      'provider_session: "cc-1"',
      "# computed from git; never authored",
      `repository_id: ${localRepositoryId}`,
      `worktree: ${place.root}`,
      "branch: main",
      "start_head: NONE",
      "start_working_tree: clean",
      "",
    ].join("\n");
    writeFileSync(join(layout.sessionsOpen, "cc-1.yaml"), text);
    await place.fire("start", "cc-1");
    expect(readRegistration(common, "claude-code", "cc-1")?.registration.session_id).toBe(
      "s-20260901000000-9d9d",
    );
    expect(readFileSync(join(layout.sessionsOpen, "cc-1.yaml"), "utf8")).toBe(text);
  });

  it("refuses a session that is open in another worktree, and says where", async () => {
    const place = await newPlace();
    await place.fire("start", "abc-1");
    const other = `${place.root}-other`;
    git(place.root, "worktree", "add", "-q", other, "-b", "other");
    const told = await place.fire("start", "abc-1", { cwd: other });
    expect(told).toContain("No episode was opened: this provider session is open in");
    expect(existsSync(join(other, ".ai", "local", "state", "sessions-open"))).toBe(false);
    git(place.root, "worktree", "remove", "--force", other);
  });

  it("does not open anything for a sub-agent's events", async () => {
    const place = await newPlace();
    await place.fire("start", "parent");
    const { layout } = await place.checkout();
    const pointer = readPointer(layout).sessionId;
    for (let number = 0; number < 5; number += 1) {
      await place.fire("prompt", `child-${number}`, { subagent: true });
      await place.fire("stop", `child-${number}`, { subagent: true });
    }
    expect(readdirSync(layout.sessionsOpen)).toHaveLength(1);
    expect(readPointer(layout).sessionId).toBe(pointer);
  });
});
