import type { Checkout } from "../../checkout/checkout.ts";
import type { Finding } from "../../labels/terms.ts";
import { judgeEpisodes } from "../judge-episodes.ts";
import { judgePrompts } from "../prompts/prompts-here.ts";
import { judgeEnforcement } from "./judge-enforcement.ts";
import { judgeEnvironment } from "./judge-environment.ts";
import { judgeHooks } from "./judge-hooks.ts";
import { judgeLayer } from "./judge-layer.ts";
import { judgeLedgerStore } from "./judge-ledger-store.ts";
import { judgePolicy } from "./judge-policy.ts";
import { judgeRecords } from "./judge-records.ts";
import { judgeServer } from "./judge-server.ts";
import { judgeState } from "./judge-state.ts";
import type { DoctorPartName } from "./part-names.ts";

/** What a part may be told by the surface that asks. */
export interface DoctorRequest {
  /** The program's launcher, where the surface knows it. */
  script?: string | undefined;
}

export interface DoctorPart {
  title: string;
  judge: (checkout: Checkout, request: DoctorRequest) => Finding[] | Promise<Finding[]>;
}

/** The parts that this domain judges; those of other domains are joined to them by the capability. */
export const DOCTOR_PARTS: Readonly<
  Record<Exclude<DoctorPartName, "knowledge" | "capsules" | "continuity">, DoctorPart>
> = {
  policy: { title: "Whether policy and profiles can be followed", judge: judgePolicy },
  layer: { title: "Whether the layer is whole and its local half out of git's sight", judge: judgeLayer },
  enforcement: { title: "Whether what the policy declares is really run", judge: judgeEnforcement },
  hooks: {
    title: "Whether provider hooks are installed, whole, of this version and heard from",
    judge: (checkout, { script }) => judgeHooks(checkout, script),
  },
  episodes: { title: "Whether every open episode is accounted for", judge: judgeEpisodes },
  records: { title: "Whether every record can be read and what it names is there", judge: judgeRecords },
  ledger: { title: "Whether every line of the ledger is whole", judge: judgeLedgerStore },
  state: { title: "Task, questions, decisions, and locks that nobody will release", judge: judgeState },
  prompts: {
    title: "Whether every prompt can be rendered",
    judge: (checkout) => judgePrompts("FAIL", checkout),
  },
  server: {
    title: "Whether the shared server answers, is of this build and keeps its token",
    judge: (checkout, { script }) => judgeServer(checkout, script),
  },
  environment: { title: "What this program runs on", judge: judgeEnvironment },
};
