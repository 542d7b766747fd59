import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT, MajordomusError } from "../../core/base/error.ts";
import { formatTimestamp } from "../../core/base/time.ts";
import { serverStanding } from "../../core/capabilities/serving.ts";
import type { Checkout } from "../../core/checkout/checkout.ts";
import { openCheckout } from "../../core/checkout/open.ts";
import { listWorktrees } from "../../core/git/worktrees.ts";
import type { ServerAnswer } from "../../core/serving/answers.ts";
import { describeServer } from "../../core/serving/describe.ts";
import { dropLease, endServer } from "../../core/serving/end-server.ts";
import { ensureServer } from "../../core/serving/ensure.ts";
import { executableAt } from "../../core/serving/executable.ts";
import type { Executable } from "../../core/serving/executable.ts";
import { claimLease } from "../../core/serving/hold-lease.ts";
import type { LeaseClaim } from "../../core/serving/hold-lease.ts";
import { probeServer } from "../../core/serving/probe.ts";
import { judgeLease, readyLine } from "../../core/serving/standing.ts";
import type { ServerJudgement } from "../../core/serving/standing.ts";
import { askIn, openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { whileInterruptible } from "../interruptible.ts";
import type { Output } from "../output.ts";

export interface ServeHereOptions {
  idle: number | undefined;
  port: number | undefined;
  fallback: boolean;
}

function anotherServes({ note, lease, standing }: ServerJudgement): MajordomusError {
  return new MajordomusError({
    code: standing === "foreign" ? "server.foreign_lease" : "server.stands",
    exit: EXIT.refused,
    message: standing === "foreign" ? note : `another server stands for this checkout: ${note}`,
    remedy:
      standing === "foreign"
        ? "move that file away if nothing uses it"
        : lease?.state === "ready"
          ? "`majordomus serve stop` ends it"
          : "`majordomus serve status` shows what becomes of it",
  });
}

/** Claims the checkout for this process, after whoever should answer was asked whether it does. */
async function claim(checkout: Checkout, executable: Executable): Promise<LeaseClaim> {
  const first = claimLease(checkout, { executable });
  if ("held" in first) return first;
  const probed = await probeServer(checkout, executable);
  if (!probed.replaceable || probed.lease === undefined) return first;
  if (probed.silent === true) await endServer(probed.lease, PATIENCE_SECONDS * 1000);
  return claimLease(checkout, { executable, dead: probed.lease.token });
}

/**
 * Is this checkout's shared server until it is interrupted or nobody needs it any more.
 *
 * @throws MajordomusError 15 where another server stands; a fallback ends without a word instead.
 */
export async function serveHere(
  context: CommandContext,
  { idle, port, fallback }: ServeHereOptions,
): Promise<ExitStatus> {
  const checkout = await openHere(context);
  const { output, json, program } = context;
  const claimed = await claim(checkout, executableAt(program.launcher));
  if ("refused" in claimed) {
    if (fallback) return EXIT.ok;
    throw anotherServes(claimed.refused);
  }
  const { server } = checkout.settings.switches;
  const { serveCheckout } = await import("../../server/life/serve.ts");
  const say = (text: string): void => output.line(`${formatTimestamp(checkout.clock.now())} ${text}`);
  const reason = await whileInterruptible((signal) =>
    serveCheckout(checkout, {
      held: claimed.held,
      worker: program.worker,
      autosave: program.autosave,
      idleMilliseconds: (idle ?? server.idle_seconds) * 1000,
      port: port ?? server.port,
      signal,
      onReady: (url) => {
        if (json) output.json({ schema: 1, ready: true, url, pid: process.pid });
        else say(readyLine(url, process.pid));
      },
    }),
  );
  if (json) output.json({ schema: 1, ended: true, reason });
  else say(`pid ${process.pid} ended: ${reason}`);
  return EXIT.ok;
}

function shortly(head: string | undefined, branch: string | undefined): string {
  return `${branch ?? "-"} ${head?.slice(0, 7) ?? "-"}`;
}

function showStanding(output: Output, answer: ServerAnswer): void {
  output.line(`Checkout:   ${answer.root}`);
  output.line(`Server:     ${answer.standing} — ${answer.note}`);
  if (answer.url !== undefined) output.line(`Address:    ${answer.url} pid ${answer.pid ?? "-"}`);
  if (answer.agree === undefined) return;
  const served = shortly(answer.served_head, answer.served_branch);
  const here = shortly(answer.repository_head, answer.repository_branch);
  output.line(`Answers on: ${answer.agree ? served : `${served}, the repository is at ${here}`}`);
}

/** The checkouts of a repository that exist and have a layer; one that cannot be opened runs no server of ours. */
async function everyCheckout(context: CommandContext, here: Checkout): Promise<Checkout[]> {
  const others = listWorktrees(here.repository).filter(({ exists, path }) => exists && path !== here.root);
  const opened = await Promise.all(
    others.map(({ path }) => openCheckout(path, context.surroundings).catch(() => undefined)),
  );
  return [here, ...opened.flatMap((checkout) => (checkout === undefined ? [] : [checkout]))];
}

/**
 * Shows where the shared server stands.
 *
 * @returns 10 when one of those that were asked for does not answer.
 */
export async function showServer(
  context: CommandContext,
  checkouts: "this" | "repository",
): Promise<ExitStatus> {
  const here = await openHere(context);
  const asked = checkouts === "this" ? [here] : await everyCheckout(context, here);
  const answers = await Promise.all(
    asked.map((checkout) => askIn(checkout, serverStanding, { script: context.program.launcher })),
  );
  const [first] = answers;
  if (context.json) {
    context.output.json(checkouts === "this" ? { schema: 1, ...first } : { schema: 1, servers: answers });
  } else for (const answer of answers) showStanding(context.output, answer);
  return answers.every(({ standing }) => standing === "ready") ? EXIT.ok : EXIT.finding;
}

/** How long a command waits for a server to come or to go. */
const PATIENCE_SECONDS = 5;

export interface EnsureOptions {
  idle: number | undefined;
  port: number | undefined;
  wait: number | undefined;
}

/**
 * Sees to it that a server answers this checkout, and says where.
 *
 * @returns 10 when none does within the time.
 */
export async function ensureHere(
  context: CommandContext,
  { idle, port, wait = PATIENCE_SECONDS }: EnsureOptions,
): Promise<ExitStatus> {
  const checkout = await openHere(context);
  const executable = executableAt(context.program.launcher);
  const ensured = await whileInterruptible((signal) =>
    ensureServer(checkout, {
      executable,
      idleSeconds: idle,
      port,
      waitMilliseconds: wait * 1000,
      signal,
    }),
  );
  const { output, json } = context;
  const line = ensured.ensured
    ? readyLine(ensured.lease.url ?? "", ensured.lease.pid)
    : `not ensured: ${ensured.reason}`;
  if (json) {
    const server = describeServer(checkout, judgeLease(checkout, executable));
    output.json({ schema: 1, ensured: ensured.ensured, line, ...server });
  } else output.line(line);
  return ensured.ensured ? EXIT.ok : EXIT.finding;
}

interface Stopped {
  stopped: boolean;
  note: string;
}

async function stopServer(checkout: Checkout, waitMilliseconds: number): Promise<Stopped> {
  const { lease, standing, note, unproved } = judgeLease(checkout);
  if (standing === "foreign") return { stopped: false, note };
  if (lease === undefined) return { stopped: true, note };
  if (unproved === true) {
    return { stopped: false, note: `process ${lease.pid} cannot be seen from here, so it is not ended` };
  }
  const alive = standing !== "stale";
  if (alive && !(await endServer(lease, waitMilliseconds))) {
    return { stopped: false, note: `process ${lease.pid} does not end` };
  }
  dropLease(checkout, lease);
  return { stopped: true, note: alive ? `process ${lease.pid} ended` : `${note}; it was taken away` };
}

/**
 * Ends the shared server of this checkout, and takes away what a dead one left.
 *
 * @returns 10 when it goes on.
 */
export async function stopHere(
  context: CommandContext,
  { wait = PATIENCE_SECONDS }: { wait: number | undefined },
): Promise<ExitStatus> {
  const checkout = await openHere(context);
  const { stopped, note } = await stopServer(checkout, wait * 1000);
  if (context.json) context.output.json({ schema: 1, stopped, note });
  else context.output.line(`${stopped ? "stopped" : "not stopped"}: ${note}`);
  return stopped ? EXIT.ok : EXIT.finding;
}
