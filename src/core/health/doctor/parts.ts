import type { Checkout } from "../../checkout/checkout.ts";
import type { Finding } from "../../labels/terms.ts";
import { judgeEpisodes } from "../judge-episodes.ts";
import { judgeKnowledge, judgeQueue } from "../judge-knowledge.ts";
import { listKnowledge } from "../knowledge-reading.ts";
import { judgePrompts } from "../prompts/prompts-here.ts";
import { judgeEnforcement } from "./judge-enforcement.ts";
import { judgeEnvironment } from "./judge-environment.ts";
import { judgeHooks } from "./judge-hooks.ts";
import { judgeLayer } from "./judge-layer.ts";
import { judgeLedgerStore } from "./judge-ledger-store.ts";
import { judgePolicy } from "./judge-policy.ts";
import { judgeRecords } from "./judge-records.ts";
import { judgeState } from "./judge-state.ts";

/** What a part may be told by the surface that asks. */
export interface DoctorRequest {
  /** The program's launcher, where the surface knows it. */
  script?: string | undefined;
}

export interface DoctorPart {
  /** The end of its capability's id. */
  name: string;
  title: string;
  judge: (checkout: Checkout, request: DoctorRequest) => Finding[] | Promise<Finding[]>;
}

function judgeKnowledgeStore(checkout: Checkout): Finding[] {
  const files = listKnowledge(checkout);
  return [...judgeKnowledge("FAIL", checkout.root, files), ...judgeQueue(checkout, files)];
}

/** The parts of the doctor, in the order in which their findings are shown. Each stands alone. */
export const DOCTOR_PARTS = [
  { name: "policy", title: "Whether policy and profiles can be followed", judge: judgePolicy },
  {
    name: "layer",
    title: "Whether the layer is whole and its local half out of git's sight",
    judge: judgeLayer,
  },
  { name: "enforcement", title: "Whether what the policy declares is really run", judge: judgeEnforcement },
  {
    name: "hooks",
    title: "Whether provider hooks are installed, whole, of this version and heard from",
    judge: (checkout, { script }) => judgeHooks(checkout, script),
  },
  { name: "episodes", title: "Whether every open episode is accounted for", judge: judgeEpisodes },
  {
    name: "records",
    title: "Whether every record can be read and what it names is there",
    judge: judgeRecords,
  },
  { name: "ledger", title: "Whether every line of the ledger is whole", judge: judgeLedgerStore },
  {
    name: "state",
    title: "Task, questions, decisions, and locks that nobody will release",
    judge: judgeState,
  },
  {
    name: "prompts",
    title: "Whether every prompt can be rendered",
    judge: (checkout) => judgePrompts("FAIL", checkout),
  },
  {
    name: "knowledge",
    title: "Whether knowledge is whole and its queue looked after",
    judge: judgeKnowledgeStore,
  },
  { name: "environment", title: "What this program runs on", judge: judgeEnvironment },
] as const satisfies readonly DoctorPart[];
export type DoctorPartName = (typeof DOCTOR_PARTS)[number]["name"];
