import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadedIn, vaultOf } from "./support/capsules.ts";
import { runHook, samplePayload } from "./support/hooks.ts";
import { makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { readAll, resultOf } from "./support/stores.ts";

const SILENT = { status: 0, stdout: "", stderr: "" };

/** A start of Claude Code whose id is what is given, or is left out. */
function startOf(place: Place, source: string, id: unknown, fields: Record<string, unknown> = {}): string {
  return samplePayload("claude-code/SessionStart.clear.json", {
    root: place.root,
    fields: { source, session_id: id, ...fields },
  });
}

function expectNothingOpened(place: Place): void {
  const found = readAll(place.root);
  expect([found.registrations, found.open.size, found.ledger, found.contexts]).toEqual([[], 0, [], []]);
}

test("a clear without a usable id resumes all the same, without an authority, and opens nothing", async () => {
  const place = await makePlace();
  const vault = vaultOf(place);
  const ids = [undefined, "", " \t", 7, { id: "x" }, "é".repeat(513)];
  for (const [index, id] of ids.entries()) {
    vault.put(`capsule-${index}.md`);
    const run = await runHook(place, { event: "SessionStart", input: startOf(place, "clear", id) });
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout.indexOf("[RESUME VERB]")).toBe(0);
    expect(loadedIn(run.stdout)).toBe(`capsule-${index}`);
    expect(run.stdout).toContain("report CURRENT_SESSION_ID_UNAVAILABLE");
    expect(run.stdout).not.toMatch(/object Object|session_id:|boot-receipt|unreadable/);
    expect(run.stdout).toMatch(/^No episode was opened: session id .*[.]$/m);
    expect(vault.statuses()[`capsule-${index}.md`]).toBe("resumed");
    const outcome = readAll(place.root).receipts.findLast(({ phase }) => phase === "outcome");
    expect([resultOf(outcome, "episode"), resultOf(outcome, "capsule")]).toEqual(["refused", "done"]);
  }
  const receipt: unknown = JSON.parse(readFileSync(join(vault.memory, "runtime/boot-receipt.json"), "utf8"));
  expect(receipt).toMatchObject({ boot_sequence: ids.length - 1, session_id: "", source: "clear" });
  expectNothingOpened(place);
});

test("a clear without an id takes no id of a former boot, and says that nothing was there to resume", async () => {
  const place = await makePlace();
  const vault = vaultOf(place);
  vault.put("spent.md", { status: "resumed" });
  const known = { event: "SessionStart", input: startOf(place, "startup", "former-session") };
  expect((await runHook(place, known)).stdout).toContain("Episode s-");
  const run = await runHook(place, { event: "SessionStart", input: startOf(place, "clear", undefined) });
  expect(run.stdout).toContain("DEGRADED");
  expect(run.stdout).toContain("CURRENT_SESSION_ID_UNAVAILABLE");
  expect(run.stdout).not.toContain("former-session");
  expect([...readAll(place.root).open.keys()]).toEqual(["former-session"]);
});

test("a clear without an id is silent where it is a sub-agent's, in no repository, or another provider's", async () => {
  const place = await makePlace();
  const vault = vaultOf(place);
  vault.put("kept.md");
  const event = "SessionStart";
  const inside = startOf(place, "clear", undefined, { agent_id: "sub" });
  expect(await runHook(place, { event, input: inside })).toMatchObject(SILENT);
  const nowhere = startOf(place, "clear", undefined, { cwd: place.directory });
  expect(await runHook(place, { event, input: nowhere })).toMatchObject(SILENT);
  const other = startOf(place, "clear", undefined);
  expect(await runHook(place, { event, provider: "codex", input: other })).toMatchObject(SILENT);
  for (const source of ["startup", "resume", "compact"]) {
    const input = startOf(place, source, undefined);
    expect(await runHook(place, { event, input }), source).toMatchObject(SILENT);
  }
  expect(vault.statuses()).toEqual({ "kept.md": "active" });
  const { receipts } = readAll(place.root);
  const refused = receipts.filter((receipt) => resultOf(receipt, "payload") === "refused");
  expect(refused).toHaveLength(6);
  expectNothingOpened(place);
});

test("a clear without an id leaves the capsule alone while a coordinator is live", async () => {
  const place = await makePlace();
  const vault = vaultOf(place);
  vault.put("kept.md");
  const coordination = join(place.directory, "cycle.json");
  writeFileSync(coordination, '{"phase":"clearing"}');
  const run = await runHook(place, {
    event: "SessionStart",
    input: startOf(place, "clear", 7),
    environment: { AIGENT_COORDINATION_STATE: coordination },
  });
  expect(run.stdout).toMatch(/^A conducted cycle is live .*\n/);
  expect(vault.statuses()).toEqual({ "kept.md": "active" });
  expectNothingOpened(place);
});
