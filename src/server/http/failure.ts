import { EXIT, MajordomusError } from "../../core/base/error.ts";
import type { ExitStatus } from "../../core/base/error.ts";
import { failureAnswer } from "../../core/capabilities/answer.ts";

/** What an exit status of the command line is as a status of HTTP. */
const STATUSES: Readonly<Record<ExitStatus, number>> = {
  [EXIT.ok]: 200,
  [EXIT.usage]: 400,
  [EXIT.finding]: 409,
  [EXIT.drift]: 409,
  [EXIT.missing]: 404,
  [EXIT.internal]: 500,
  [EXIT.refused]: 409,
};

/** A refusal of the server itself: a status, and the same members as any other failure. */
export class Refusal extends MajordomusError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    facts: { code: string; message: string; subject?: string; remedy?: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    super({ exit: EXIT.usage, ...facts });
    this.status = status;
    this.headers = headers;
  }
}

/** A failure as a response: its status, and one JSON object that says what, where and what to do. */
export function failureResponse(error: MajordomusError): Response {
  const [status, headers] =
    error instanceof Refusal ? [error.status, error.headers] : [STATUSES[error.exit], {}];
  return Response.json(failureAnswer(error), { status, headers });
}
