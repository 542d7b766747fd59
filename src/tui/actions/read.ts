import { resolve } from "node:path";
import * as z from "zod/mini";
import { CapsuleShowAnswer } from "../../core/capsule/answers.ts";
import type { Desk } from "../desk.ts";
import { enterMode, say } from "../desk.ts";
import type { Reading } from "../reading.ts";
import { detailLines } from "../model/detail.ts";
import { textOf } from "../model/line.ts";
import { recordOf } from "../model/record.ts";
import type { Row } from "../model/rows.ts";
import { currentRow } from "../row-source.ts";
import { runWork } from "./work.ts";

const TextAnswer = z.object({ path: z.string(), text: z.string() });

async function loadText(
  desk: Desk,
  root: string,
  capability: string,
  input: unknown,
): Promise<z.infer<typeof TextAnswer> | undefined> {
  const value = await runWork(desk, { what: "reading", writes: false, root, capability, input });
  if (value === undefined) return undefined;
  const answer = TextAnswer.safeParse(value);
  if (answer.success) return answer.data;
  say(desk, "bad", `${capability} answered in an unknown form`);
  return undefined;
}

function read(desk: Desk, reading: Reading): void {
  enterMode(desk, { kind: "reader", reading, top: 0 });
}

/** Loads the record of a row. */
export async function loadRecord(desk: Desk, row: Row): Promise<Reading | undefined> {
  const path = recordOf(row);
  if (path === undefined) return undefined;
  const record = await loadText(desk, row.root, "record.read", { path });
  if (record === undefined) return undefined;
  return { title: "Record", path: resolve(row.root, record.path), text: record.text };
}

/** Loads the working context of an episode. */
export async function loadContext(desk: Desk, row: Row): Promise<Reading | undefined> {
  if (row.kind !== "episode") return undefined;
  const { session_id, here, worktree } = row.episode;
  const context = await loadText(desk, row.root, "session.context", { session_id });
  if (context === undefined) return undefined;
  // The answer names the file below the worktree that the episode is at home in.
  const home = here || worktree === undefined ? row.root : worktree;
  return { title: "Working context", path: resolve(home, context.path), text: context.text };
}

/** Loads a capsule's text, and where it lies: memory may be outside of the layer. */
async function loadCapsule(desk: Desk, row: Row): Promise<Reading | undefined> {
  if (row.kind !== "capsule") return undefined;
  const work = { what: "reading", writes: false, root: row.root, capability: "capsule.show" };
  const answer = CapsuleShowAnswer.safeParse(
    await runWork(desk, { ...work, input: { capsule: row.file.name } }),
  );
  if (!answer.success) return undefined;
  const { capsule, text } = answer.data;
  return { title: "Capsule", path: capsule.path, text };
}

/** Loads the file that a row stands for, whichever way it is named. */
export async function loadFile(desk: Desk, row: Row): Promise<Reading | undefined> {
  if (row.kind === "capsule") return loadCapsule(desk, row);
  return recordOf(row) === undefined ? loadContext(desk, row) : loadRecord(desk, row);
}

function detailReading(desk: Desk, row: Row): Reading {
  const state = desk.store.getState();
  const slices = state.repositories[row.root];
  const context = { width: 200, now: state.now, home: desk.environment["HOME"], root: row.root, slices };
  return { title: "Selected", text: detailLines(row, context).map(textOf).join("\n") };
}

/** Opens what a row stands for: its record where it has one, else everything that is known about it. */
export async function openRow(desk: Desk): Promise<void> {
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  if (row === undefined) return;
  if (row.kind === "text") return read(desk, row.document);
  if (recordOf(row) === undefined && row.kind !== "capsule") return read(desk, detailReading(desk, row));
  const record = await loadFile(desk, row);
  if (record !== undefined) read(desk, record);
}

/** Opens the working context of the episode under the cursor. */
export async function openContext(desk: Desk): Promise<void> {
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  if (row === undefined) return;
  const context = await loadContext(desk, row);
  if (context !== undefined) read(desk, context);
}
