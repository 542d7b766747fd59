import type { Run } from "../../support/binary.ts";
import { claude } from "./hooks.ts";
import { command } from "./place.ts";
import type { Place } from "./place.ts";

const SESSION = "11111111-2222-4333-8444-555555555555";

function quiet({ status, stdout, stderr }: Run, what: string): string {
  if (status !== 0 || stderr !== "") throw new Error(`${what}: ${status} ${stdout}${stderr}`);
  return stdout;
}

/** A worker at its desk: every command and hook at a time of the test's own. */
export class Worker {
  readonly #place: Place;
  #now: string;

  constructor(place: Place, now: string) {
    this.#place = place;
    this.#now = now;
  }

  at(now: string): void {
    this.#now = now;
  }

  get #environment(): Record<string, string> {
    return { MAJORDOMUS_NOW: this.#now, CLAUDE_CODE_SESSION_ID: SESSION };
  }

  run(line: readonly string[], input?: string): Promise<Run> {
    return command(this.#place, line, {
      environment: this.#environment,
      ...(input === undefined ? {} : { input }),
    });
  }

  /** Runs a command that must succeed in silence on standard error; what it printed. */
  async does(line: readonly string[], input?: string): Promise<string> {
    const run = await this.run(line, input);
    return quiet(run, line.join(" "));
  }

  async hook(sample: string, session = SESSION): Promise<string> {
    const run = await claude(this.#place, sample, session, { environment: this.#environment });
    return quiet(run, sample);
  }
}
