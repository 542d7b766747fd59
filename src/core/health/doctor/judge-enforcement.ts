import { accessSync, constants } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { reasonOf } from "../../base/error.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { containedPath } from "../../fs/contain.ts";
import { listDirectory, readText, stampOf } from "../../fs/read.ts";
import { gitText } from "../../git/run.ts";
import type { Finding } from "../../labels/terms.ts";
import { readHooksHere } from "../hooks-here.ts";
import { judgement } from "../judgement.ts";
import { shellWord } from "../../text/shell-word.ts";
import { readWiring } from "./hook-script.ts";
import { showFollowed } from "../../fs/show-command.ts";

type Entry = Checkout["settings"]["policy"]["enforcement"][number];

const CATEGORY = "enforcement";
const SCRIPT_BYTES = 1024 * 1024;

function wordsOf({ args }: Entry): string[] {
  return args.map(String);
}

function judge(level: Finding["level"], entry: Entry, message: string, command: string): Finding {
  return judgement(level, CATEGORY, entry.name, message, command);
}

/** The directory of git's hooks: asked of git, which alone knows every place where it may be set. */
function hooksDirectory({ repository, root }: Checkout): string | undefined {
  const told = gitText(repository, ["rev-parse", "--git-path", "hooks"]);
  if (!told.ok) return undefined;
  return isAbsolute(told.value) ? told.value : join(root, told.value);
}

/** Files that git, or a hook manager behind it, runs for a hook. */
function scriptsOf(directory: string, hook: string): string[] {
  const places = basename(directory) === "_" ? [directory, dirname(directory)] : [directory];
  return places.flatMap((place) => {
    const inner = join(place, `${hook}.d`);
    return [join(place, hook), ...listDirectory(inner).map((name) => join(inner, name))];
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function judgeGitHook(checkout: Checkout, entry: Entry, hook: string): Finding {
  const directory = hooksDirectory(checkout);
  const show = `git rev-parse --git-path hooks/${hook}`;
  if (directory === undefined) return judge("FAIL", entry, "git does not say where its hooks are", show);
  const readings = scriptsOf(directory, hook).flatMap((path) => {
    const text = readText(path, { maximumBytes: SCRIPT_BYTES });
    return text.ok ? [{ path, wiring: readWiring(text.value, entry.path, wordsOf(entry)) }] : [];
  });
  const found =
    readings.find(({ wiring, path }) => wiring === "runs" && isExecutable(path)) ??
    readings.find(({ wiring }) => wiring !== "absent");
  if (found === undefined) {
    const asked = [entry.path, ...wordsOf(entry)].join(" ");
    return judge("FAIL", entry, `is declared, and no ${hook} hook runs \`${asked}\``, show);
  }
  const path = shownPath(checkout.root, found.path);
  if (!isExecutable(found.path)) {
    return judge(
      "FAIL",
      entry,
      `${path} is not executable, so git does not run it`,
      `ls -l ${shellWord(path)}`,
    );
  }
  if (found.wiring === "swallows") {
    return judge(
      "FAIL",
      entry,
      `${path} swallows its exit status: a failure stops nothing`,
      `${showFollowed(found.path)} ${shellWord(path)}`,
    );
  }
  return judgement("OK", CATEGORY, entry.name, `is run by ${path}`);
}

function mentions(text: string, entry: Entry): boolean {
  return text.split("\n").some((line) => {
    const code = line.replace(/^\s*#.*$/, "");
    return code.includes(basename(entry.path)) && wordsOf(entry).every((word) => code.includes(word));
  });
}

function judgeGitConfig(checkout: Checkout, entry: Entry, key: string): Finding {
  const value = gitText(checkout.repository, ["config", "--get", key]);
  const show = `git config --get ${shellWord(key)}`;
  if (!value.ok) return judge("FAIL", entry, `is declared, and git has no ${key}`, show);
  if (!mentions(value.value, entry)) return judge("FAIL", entry, `${key} does not run ${entry.path}`, show);
  return judgement("OK", CATEGORY, entry.name, `is run by ${key}`);
}

function judgeCi(checkout: Checkout, entry: Entry, file: string): Finding {
  const show = `${showFollowed(join(checkout.root, file))} ${shellWord(file)}`;
  let path: string;
  try {
    path = containedPath(checkout.root, file);
  } catch (error) {
    return judge("FAIL", entry, reasonOf(error), show);
  }
  if (stampOf(path) === undefined) return judge("FAIL", entry, `is declared, and ${file} is not there`, show);
  const text = readText(path, { maximumBytes: SCRIPT_BYTES });
  if (!text.ok) return judge("FAIL", entry, `${file}: ${text.error.message}`, show);
  if (!mentions(text.value, entry)) return judge("FAIL", entry, `${file} does not run ${entry.path}`, show);
  return judgement("OK", CATEGORY, entry.name, `stands in ${file}`);
}

function judgeProviderHook(checkout: Checkout, entry: Entry, rest: string): Finding {
  const [provider = ""] = rest.split(":");
  const show = "majordomus hooks status claude-code";
  if (provider !== "claude-code") {
    return judge(
      "WARN",
      entry,
      `is wired to ${provider}, whose hooks cannot be verified here`,
      "majordomus lifecycle providers",
    );
  }
  const { installed } = readHooksHere(checkout);
  if (!installed)
    return judge("FAIL", entry, "is declared, and no hook of Claude Code is installed here", show);
  return judgement("OK", CATEGORY, entry.name, "hooks of Claude Code are installed");
}

interface Wiring {
  /** What may stand behind the colon: it becomes a file name, or an argument of git. */
  form: RegExp;
  judge: (checkout: Checkout, entry: Entry, rest: string) => Finding;
}

const WIRINGS: Readonly<Record<string, Wiring>> = {
  "git-hook": { form: /^[a-z][a-z0-9-]*$/, judge: judgeGitHook },
  "git-config": { form: /^[A-Za-z][\w.-]*$/, judge: judgeGitConfig },
  ci: { form: /^[^-].*$/, judge: judgeCi },
  "provider-hook": { form: /^[a-z][a-z0-9-]*(?::[a-z]+)?$/, judge: judgeProviderHook },
};

function judgeEntry(checkout: Checkout, entry: Entry): Finding {
  const [, kind = "", rest = ""] = /^([a-z-]+):(.+)$/s.exec(entry.wired_by) ?? [];
  const wiring = Object.hasOwn(WIRINGS, kind) ? WIRINGS[kind] : undefined;
  if (wiring?.form.test(rest) === true) return wiring.judge(checkout, entry, rest);
  if (entry.wired_by === "manual")
    return judgement("INFO", CATEGORY, entry.name, "is run by hand: unverified");
  return judge(
    "FAIL",
    entry,
    `is wired by something unknown: ${entry.wired_by}`,
    "majordomus check --explain",
  );
}

/** Whether what the policy declares is really run, and whether its failure would stop anybody. */
export function judgeEnforcement(checkout: Checkout): Finding[] {
  const { enforcement, projections } = checkout.settings.policy;
  const missing = projections.filter(({ target }) => stampOf(join(checkout.root, target)) === undefined);
  const findings = [
    ...enforcement.map((entry) => judgeEntry(checkout, entry)),
    ...missing.map(({ target, provider }) =>
      judgement(
        "WARN",
        CATEGORY,
        target,
        `the projection for ${provider} is not there; it is not ours to write`,
        `ls ${shellWord(target)}`,
      ),
    ),
  ];
  if (findings.length > 0) return findings;
  return [judgement("OK", CATEGORY, "policy.yaml", "declares nothing that has to be wired")];
}
