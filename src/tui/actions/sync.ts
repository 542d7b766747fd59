import { PublishAnswer } from "../../core/continuity/answers.ts";
import { HideAnswer } from "../../core/continuity/hide.ts";
import { SyncAnswer } from "../../core/continuity/sync.ts";
import { VerifyAnswer } from "../../core/continuity/verify.ts";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";
import type { Message } from "../message.ts";
import type { Fact } from "../model/facts.ts";
import { counted, shortHead } from "../model/names.ts";
import { rootHere, slicesHere } from "../model/work-here.ts";
import { propose } from "./propose.ts";
import { travelUnderCursor } from "./resume.ts";
import { runWork } from "./work.ts";
import { written } from "./written.ts";

function reportSync({
  remote,
  outcome,
  fetched,
  published,
  restored,
  resumable,
  diagnostics,
}: SyncAnswer): Message {
  const named = remote ?? "no remote";
  const odd = diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ subject, message }) => [subject?.slice(0, 12), message].filter(Boolean).join(" "));
  if (outcome === "unreachable") {
    return { tone: "bad", text: [`${named} could not be reached`, ...odd].join(": ") };
  }
  const done = [
    `${counted(fetched, "record")} came`,
    `${published} sent`,
    restored > 0 ? `${restored} put back` : "",
    resumable.length > 0 ? `${counted(resumable.length, "offer")} to resume` : "",
    ...odd,
  ];
  const text = `synced with ${named}: ${done.filter((part) => part !== "").join(", ")}`;
  return { tone: outcome === "ok" && odd.length === 0 ? "good" : "warn", text };
}

/** Asks before this machine talks to the remote. */
export function askToSync(desk: Desk): void {
  const state = desk.store.getState();
  const root = rootHere(state, desk.rowsOf);
  const status = slicesHere(state, desk.rowsOf)?.sync.data;
  const remote = status?.store.remote;
  const last = status?.last_sync;
  propose(desk, {
    title: "Sync?",
    root,
    verb: "sync",
    says: [
      { label: "with", text: remote ?? "no remote is known: nothing will be exchanged", tone: "accent" },
      { label: "fetches", text: "what other machines published" },
      { label: "sends", text: "what this one published and the remote does not have; nothing is forced" },
      {
        label: "writes",
        text: `${status?.store.reference ?? "the store's reference"}, which only grows`,
        tone: "accent",
      },
      { label: "leaves", text: "branches, index, work tree and hooks as they are", tone: "muted" },
      ...(last === undefined
        ? []
        : [{ label: "last", text: `${last.at}, ${last.outcome}`, tone: "muted" as const }]),
    ],
    acts: [
      {
        what: "syncing",
        capability: "continuity.sync",
        input: {},
        outcome: written(SyncAnswer, reportSync),
      },
    ],
  });
}

/** Asks before the newest handover is signed and published: what is published is permanent. */
export function askToPublish(desk: Desk): void {
  const state = desk.store.getState();
  const root = rootHere(state, desk.rowsOf);
  const slices = slicesHere(state, desk.rowsOf);
  const { device, store, position } = slices?.sync.data ?? {};
  const handover = slices?.state.data?.handover;
  const signer =
    device === undefined
      ? "a key that is made for this machine now"
      : `${device.label}, key ${device.public_key.slice(0, 8)}`;
  propose(desk, {
    title: "Publish the newest handover?",
    root,
    verb: "publish",
    says: [
      { label: "handover", text: handover?.path ?? "the newest one that resolves here" },
      ...(handover?.next_action === undefined
        ? []
        : [{ label: "next", text: handover.next_action.replaceAll("\n", " "), tone: "muted" as const }]),
      { label: "signed by", text: signer },
      { label: "writes", text: store?.reference ?? "the store's reference", tone: "accent" },
      { label: "goes on from", text: position?.record ?? "nothing: it begins a line" },
      {
        label: "refused",
        text: "when it carries a credential or a path of this machine, in any field",
        tone: "muted",
      },
      { text: "" },
      { text: "What is published is permanent. It leaves this machine with the next sync.", tone: "warn" },
    ],
    acts: [
      {
        what: "publishing",
        capability: "continuity.publish",
        input: {},
        outcome: written(PublishAnswer, ({ record, written: fresh, handover: path }) => ({
          tone: fresh ? "good" : "plain",
          text: fresh
            ? `published ${path} as ${record.id.slice(0, 12)}; s syncs it`
            : `${path} was published before, as ${record.id.slice(0, 12)}`,
        })),
      },
    ],
  });
}

/** Asks before a record is offered no more on this machine, or again. */
export function askToHide(desk: Desk): void {
  const chosen = travelUnderCursor(desk);
  if (chosen === undefined) return;
  const { root, record } = chosen;
  const undo = record.hidden === true;
  propose(desk, {
    title: undo ? "Offer it again?" : "Hide it on this machine?",
    root,
    verb: undo ? "offer it again" : "hide it",
    says: [
      { label: "record", text: `${record.device.label}, ${record.published_at}` },
      { label: "", text: record.objective ?? record.task ?? record.id, tone: "muted" },
      { label: "writes", text: "a mark on this machine alone", tone: "accent" },
      {
        label: "leaves",
        text: "the record itself, here and everywhere: nothing withdraws what was published",
        tone: "muted",
      },
    ],
    acts: [
      {
        what: undo ? "offering again" : "hiding",
        capability: "continuity.hide",
        input: { record: record.id, ...(undo ? { undo: true } : {}) },
        outcome: written(HideAnswer, ({ hidden, changed }) => ({
          tone: changed ? "good" : "plain",
          text: `${record.device.label}, ${record.published_at}: ${hidden ? "hidden on this machine" : "offered again"}${changed ? "" : " already"}`,
        })),
      },
    ],
  });
}

function chainFacts({ holds, chain = [], broken, records, reference, tip }: VerifyAnswer): Fact[] {
  return [
    {
      label: "verdict",
      text: holds
        ? `it holds: ${counted(records, "record")} proved`
        : `it does not hold: ${broken?.code ?? ""} ${broken?.message ?? ""}`,
      tone: holds ? "good" : "bad",
    },
    { label: "reference", text: [reference, shortHead(tip)].filter(Boolean).join(" at "), tone: "muted" },
    ...chain.map((link, index): Fact => {
      const by = [link.device?.label, link.published_at, link.branch, shortHead(link.head)]
        .filter(Boolean)
        .join(" ");
      const absent = link.head_here === false ? ", its commit is not in this clone" : "";
      const fault = link.holds ? "" : `: ${link.message ?? link.code ?? "does not hold"}`;
      return {
        label: index === 0 ? "chain" : "",
        text: `${link.record.slice(0, 12)} ${by}${absent}${fault}`,
        tone: link.holds ? "plain" : "bad",
      };
    }),
  ];
}

/** Proves the record under the cursor and its chain, from the reference alone. */
export async function verifyRecord(desk: Desk): Promise<void> {
  const chosen = travelUnderCursor(desk);
  if (chosen === undefined) return;
  const { root, record } = chosen;
  const input = { record: record.id };
  const value = await runWork(desk, {
    what: "proving",
    writes: false,
    root,
    capability: "continuity.verify",
    input,
  });
  if (value === undefined) return;
  const answer = VerifyAnswer.safeParse(value);
  if (!answer.success) return say(desk, "bad", "continuity.verify answered in an unknown form");
  propose(desk, {
    title: answer.data.holds ? "Proved" : "Not proved",
    root,
    verb: "",
    acts: [],
    says: chainFacts(answer.data),
  });
}
