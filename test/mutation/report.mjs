import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = dirname(dirname(import.meta.dirname));
const PAGE = join(ROOT, "docs/mutation.md");
/** Why a mutant may live: by its file, what it replaces and by what. */
const EXPLAINED = JSON.parse(readFileSync(join(import.meta.dirname, "explained.json"), "utf8"));

const NOTICED = new Set(["Killed", "Timeout"]);
/** The compiler, or the grammar of regular expressions, refuses these before any test could. */
const VOID = new Set(["CompileError", "RuntimeError", "Ignored"]);

/** The replaced text of a mutant; Stryker counts lines and columns from 1. */
function replacedText(source, { start, end }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join("\n").replaceAll(/\s+/g, " ");
}

function survivorsOf(path, { source, mutants }) {
  return mutants
    .filter(({ status }) => !NOTICED.has(status) && !VOID.has(status))
    .map(({ location, replacement, status }) => {
      const from = replacedText(source, location);
      const to = replacement.replaceAll(/\s+/g, " ");
      const reason = (EXPLAINED[path] ?? []).find((known) => known.from === from && known.to === to);
      return { path, line: location.start.line, from, to, status, why: reason?.why };
    });
}

function code(text) {
  const shown = text.length > 90 ? `${text.slice(0, 89)}…` : text;
  return `\`${shown.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function sectionOf(name, { total, noticed, score, survivors }) {
  const head = `${total} mutants, ${noticed} noticed, ${survivors.length} not: ${score.toFixed(1)} %.`;
  const rows = survivors.map(
    ({ path, from, to, why }) =>
      `- ${path.replace("src/core/", "")}: ${code(from)} as ${code(to)}. ${why ?? "Not explained."}`,
  );
  return [`### ${name}`, "", head, ...(rows.length > 0 ? ["", ...rows] : [])].join("\n");
}

function writeSection(name, text) {
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [`<!-- written by the run: ${name} -->`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/mutation.md has no section for ${name}`);
  writeFileSync(PAGE, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}

/** Writes a rule's result into docs/mutation.md, and tells its score and the survivors that nobody explained. */
export function report(name, { files }) {
  const mutants = Object.values(files)
    .flatMap((file) => file.mutants)
    .filter(({ status }) => !VOID.has(status));
  const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length;
  const survivors = Object.entries(files).flatMap(([path, file]) => survivorsOf(path, file));
  const score = (100 * noticed) / mutants.length;
  writeSection(name, sectionOf(name, { total: mutants.length, noticed, score, survivors }));
  const unexplained = survivors
    .filter(({ why }) => why === undefined)
    .map(({ path, line, from, to, status }) => `${path}:${line} ${status}: ${JSON.stringify({ from, to })}`);
  return { score, unexplained };
}
