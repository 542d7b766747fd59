// What the pool starts in its threads.
"use strict";

const { keepCompiled, run } = require("./majordomus");

const { begin, runWork } = run("worker.cjs", "worker");

exports.begin = begin;

exports.runWork = async function runAndKeep(work) {
  const answer = await runWork(work);
  // A thread is stopped, it does not end.
  keepCompiled();
  return answer;
};
