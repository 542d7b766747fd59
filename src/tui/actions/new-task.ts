import { TaskStartAnswer } from "../../core/task/answers.ts";
import type { TaskStartAnswer as Started } from "../../core/task/answers.ts";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";
import type { Form, Values } from "../form.ts";
import type { Fact } from "../model/facts.ts";
import { counted } from "../model/names.ts";
import { rootHere, slicesHere, stateDirectory, taskHere } from "../model/work-here.ts";
import type { Act, Proposal } from "../proposal.ts";
import { openForm } from "./form-keys.ts";
import { written } from "./written.ts";

function scopeOf({ scope = "" }: Values): string[] {
  return scope
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
}

function reportStarted({ task, archived, overlaps, notes }: Started): ReturnType<Act["outcome"]> {
  const text = [
    `started ${task.id}, ${task.profile}, in ${task.scope.join(", ")}`,
    ...(archived === undefined ? [] : [`the one before is ${archived}`]),
    ...(overlaps.length === 0
      ? []
      : [`its scope overlaps ${counted(overlaps.length, "path")} of other worktrees: see check`]),
    ...notes,
  ].join("; ");
  return { tone: overlaps.length + notes.length > 0 ? "warn" : "good", text };
}

function startProposal(
  root: string,
  directory: string,
  values: Values,
  before: Fact | undefined,
): Proposal | string {
  const { task = "", profile = "" } = values;
  const scope = scopeOf(values);
  if (task.trim() === "") return "say what is to be done";
  if (scope.length === 0) return "say where: at least one path, or . for the whole repository";
  return {
    title: "Start this task?",
    root,
    verb: "start it",
    says: [
      { label: "writes", text: `${directory}/current.yaml`, tone: "accent" },
      { label: "", text: "task.started in the ledger", tone: "accent" },
      ...(before === undefined ? [] : [before]),
      { label: "task", text: task.trim() },
      { label: "scope", text: scope.join(", ") },
      { label: "profile", text: profile.trim() === "" ? "the policy's default" : profile.trim() },
    ],
    acts: [
      {
        what: "starting",
        capability: "task.start",
        input: { task, scope, ...(profile.trim() === "" ? {} : { profile: profile.trim() }) },
        outcome: written(TaskStartAnswer, reportStarted),
      },
    ],
  };
}

/** Lets the person begin the one task of the checkout; where one is active it says so instead. */
export function newTask(desk: Desk): void {
  const state = desk.store.getState();
  const root = rootHere(state, desk.rowsOf);
  const directory = stateDirectory(slicesHere(state, desk.rowsOf), root);
  const ended = taskHere(state, desk.rowsOf);
  if (ended?.outcome === "active") {
    return say(desk, "warn", `not started: a task is active, finish it first: ${ended.title}`);
  }
  const before: Fact | undefined =
    ended === undefined
      ? undefined
      : { label: "puts away", text: `${ended.title}, which is ${ended.outcome}`, tone: "muted" };
  const form: Form = {
    draft: `${root}\0task`,
    title: "New task",
    root,
    intro: before === undefined ? [] : [before],
    fields: [
      { id: "task", label: "What is to be done", kind: "line" },
      { id: "scope", label: "Where", kind: "line", hint: "paths, with commas between them; . is everything" },
      { id: "profile", label: "Profile", kind: "line", hint: "empty takes the policy's default" },
    ],
    initial: {},
    review: (values) => startProposal(root, directory, values, before),
  };
  openForm(desk, form);
}
