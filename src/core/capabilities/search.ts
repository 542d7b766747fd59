import { SearchAnswer, SearchInput } from "../health/search/answers.ts";
import { searchRecords } from "../health/search/search.ts";
import { defineCapability } from "./capability.ts";
import { memoryOf } from "./own-paths.ts";

export const searchRun = defineCapability({
  id: "search.run",
  title: "A text in the records and the ledger, taken literally, by kind",
  effect: "read",
  weight: "heavy",
  input: SearchInput,
  output: SearchAnswer,
  run: ({ checkout, signal }, input) => searchRecords(checkout, input, signal, memoryOf(checkout)?.capsules),
});
