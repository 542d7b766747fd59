import * as z from "zod/mini";
import { PublishAnswer, PublishInput } from "../continuity/answers.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { describeDevice, DeviceAnswer, DeviceInput } from "../continuity/device.ts";
import { HideAnswer, HideInput, hideRecord } from "../continuity/hide.ts";
import { PlanAnswer, PlanInput, ResumeAnswer } from "../continuity/plan-answer.ts";
import { openContinuity } from "../continuity/place.ts";
import type { ContinuityPlace } from "../continuity/place.ts";
import { planResume } from "../continuity/plan.ts";
import { publishHandover } from "../continuity/publish.ts";
import { resumeRecord } from "../continuity/resume.ts";
import { ShowAnswer, ShowInput, showRecord } from "../continuity/show.ts";
import { readRecords, readStatus, RecordsAnswer, StatusAnswer } from "../continuity/status.ts";
import { judgeAhead } from "../continuity/store.ts";
import { SyncAnswer, SyncInput, syncStore } from "../continuity/sync.ts";
import { VerifyAnswer, VerifyInput, verifyRecords } from "../continuity/verify.ts";
import { defineCapability } from "./capability.ts";

const Nothing = z.strictObject({});

/** Opens the travelling records, all of them judged. */
async function openJudged(checkout: Checkout): Promise<ContinuityPlace> {
  const place = openContinuity(checkout);
  await judgeAhead(place.store);
  return place;
}

export const continuityDevice = defineCapability({
  id: "continuity.device",
  title: "This machine as its records name it; made on first use, named when a label is given",
  effect: "write",
  nature: { idempotent: true },
  weight: "light",
  input: DeviceInput,
  output: DeviceAnswer,
  run: ({ checkout }, input) => describeDevice(checkout, input),
});

export const continuityPublish = defineCapability({
  id: "continuity.publish",
  title: "Publish a handover as a signed record into this repository's own store",
  effect: "write",
  weight: "heavy",
  input: PublishInput,
  output: PublishAnswer,
  run: ({ checkout }, input) => publishHandover(checkout, input),
});

export const continuitySync = defineCapability({
  id: "continuity.sync",
  title: "Exchange records with a remote: united, never forced",
  effect: "write",
  nature: { idempotent: true, outside: true },
  weight: "heavy",
  input: SyncInput,
  output: SyncAnswer,
  run: ({ checkout, signal, progress }, input) => {
    let done = 0;
    return syncStore(checkout, input, {
      signal,
      progress: (what) => {
        done += 1;
        progress({ done, what });
      },
    });
  },
});

export const continuityStatus = defineCapability({
  id: "continuity.status",
  title: "Where this checkout stands among the machines, without any network",
  effect: "read",
  weight: "heavy",
  input: Nothing,
  output: StatusAnswer,
  run: async ({ checkout }) => readStatus(checkout, await openJudged(checkout)),
});

export const continuityRecords = defineCapability({
  id: "continuity.records",
  title: "Every travelling record of this repository, and every file that was refused",
  effect: "read",
  weight: "heavy",
  input: Nothing,
  output: RecordsAnswer,
  run: async ({ checkout }) => readRecords(checkout, await openJudged(checkout)),
});

export const continuityShow = defineCapability({
  id: "continuity.show",
  title: "One travelling record whole, and its place in its line",
  effect: "read",
  weight: "heavy",
  input: ShowInput,
  output: ShowAnswer,
  run: async ({ checkout }, input) => showRecord(checkout, input, await openJudged(checkout)),
});

export const continuityPlan = defineCapability({
  id: "continuity.plan",
  title: "What resuming a record here would do, and why not",
  effect: "read",
  weight: "heavy",
  input: PlanInput,
  output: PlanAnswer,
  run: async ({ checkout }, input) => planResume(checkout, input, await openJudged(checkout)),
});

export const continuityResume = defineCapability({
  id: "continuity.resume",
  title: "Resume a record of another machine, when the plan says that it can be",
  effect: "write",
  nature: { idempotent: true },
  weight: "heavy",
  input: PlanInput,
  output: ResumeAnswer,
  run: async ({ checkout }, input) => resumeRecord(checkout, input, await openJudged(checkout)),
});

export const continuityHide = defineCapability({
  id: "continuity.hide",
  title: "Offer a record no more on this machine, or again",
  effect: "write",
  nature: { idempotent: true },
  weight: "heavy",
  input: HideInput,
  output: HideAnswer,
  run: async ({ checkout }, input) => hideRecord(checkout, input, await openJudged(checkout)),
});

export const continuityVerify = defineCapability({
  id: "continuity.verify",
  title: "Prove records and their chains offline, from the reference alone",
  effect: "read",
  weight: "heavy",
  input: VerifyInput,
  output: VerifyAnswer,
  run: ({ checkout }, input) => verifyRecords(checkout, input),
});

/** Everything that moves work between machines, for the registry. */
export const CONTINUITY = [
  continuityDevice,
  continuityPublish,
  continuitySync,
  continuityStatus,
  continuityRecords,
  continuityShow,
  continuityPlan,
  continuityResume,
  continuityHide,
  continuityVerify,
] as const;
