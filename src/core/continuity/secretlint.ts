/** A bundle of its own: the rules are a megabyte, and only publishing needs them. */
export { lintSource } from "@secretlint/core";
export { creator } from "@secretlint/secretlint-rule-preset-recommend";
