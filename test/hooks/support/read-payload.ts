import { readPayload } from "../../../src/hooks/payload.ts";

/** Reads standard input as a hook does and prints what came of it: the program that read-payload.test.ts runs. */
const deadlineMilliseconds = Number(process.argv[2] ?? "1000");
const maximumBytes = Number(process.argv[3] ?? String(8 * 1024 * 1024));
const answer = await readPayload(0, { deadlineMilliseconds, maximumBytes });
process.stdout.write(
  JSON.stringify(
    answer.ok ? { text: answer.value.text.slice(0, 200), bytes: answer.value.bytes.length } : answer,
  ),
  () => process.exit(0),
);
