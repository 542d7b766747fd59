import { findBrokenCredential, findCredential, hasPasswordUrl } from "./credentials.ts";

/** What stands in a text that may not travel: its kind for programs, its shape for people. Never the text itself. */
export interface PortabilityFinding {
  kind: "secret" | "nonportable_field";
  shape: string;
}

/** What this machine knows that may not leave it. */
export interface MachineKnowledge {
  /** Values of variables that are named like secrets. */
  secrets: readonly string[];
  /** Directories of this machine, absolute: the home, the work tree. */
  directories: readonly string[];
}

/** Before a path of a machine stands nothing, or what sets it off from a word: `app/home/page.tsx` is none. */
const SET_OFF = "(?:^|[\\s\"'`\u2018\u2019\u201c\u201d\u00ab\u00bb([{<=:|]|file://)";

const HOME_DIRECTORY = new RegExp(`${SET_OFF}/(?:Users|home)/[^/\\s]+/`);

/** Paths that tell of one machine, by what they begin with; the first is judged at reading too. */
const MACHINE_PATHS: readonly { shape: string; pattern: RegExp }[] = [
  { shape: "a home directory", pattern: HOME_DIRECTORY },
  { shape: "a home directory", pattern: new RegExp(`${SET_OFF}/root/`) },
  {
    shape: "a home directory",
    pattern: new RegExp(`${SET_OFF}[A-Za-z]:[\\\\/]+Users[\\\\/]+[^\\\\/\\s]`, "i"),
  },
  {
    shape: "a path of another system",
    pattern: new RegExp(`${SET_OFF}\\\\{2,4}wsl(?:\\$|\\.localhost)\\\\`, "i"),
  },
  { shape: "a home directory", pattern: new RegExp(`${SET_OFF}~[A-Za-z_][A-Za-z0-9_.-]*/`) },
];

const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|API_KEY|APIKEY|PRIVATE_KEY|CREDENTIAL|ACCESS_KEY|AUTH/;
/** Named like secrets, and none. */
const PUBLIC_NAME = /^(?:GIT_AUTHOR_.*|SSH_AUTH_SOCK|XAUTHORITY)$/;
const SECRET_BYTES = 8;

/** The values in an environment that its names call secret. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value === undefined || Buffer.byteLength(value) < SECRET_BYTES) continue;
    if (SECRET_NAME.test(upper) && !PUBLIC_NAME.test(upper)) values.add(value);
  }
  return [...values];
}

/** A text as it would be without its line breaks, indentation and quotation marks of lines. */
function joinLines(text: string): string {
  return text.includes("\n") || text.includes("\r") ? text.replaceAll(/[ \t]*\\?[\r\n]+[ \t>]*/g, "") : text;
}

const secret = (shape: string): PortabilityFinding => ({ kind: "secret", shape });
const nonportable = (shape: string): PortabilityFinding => ({ kind: "nonportable_field", shape });

/** What a reader refuses: the fixed table and home directories, and nothing that a newer rule would find. */
export function judgeReceivedText(text: string): PortabilityFinding | undefined {
  const credential = findCredential(text);
  if (credential !== undefined) return secret(credential);
  return HOME_DIRECTORY.test(text) ? nonportable("a home directory") : undefined;
}

function holdsDirectory(text: string, directory: string): boolean {
  // A path of one name, `/app`, is on every machine.
  if (directory.split("/").filter(Boolean).length < 2) return false;
  for (let at = text.indexOf(directory); at >= 0; at = text.indexOf(directory, at + 1)) {
    const before = text.slice(Math.max(0, at - 7), at);
    const after = text.charAt(at + directory.length);
    if (new RegExp(`${SET_OFF}$`).test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

function machinePath(text: string, knowledge: MachineKnowledge): string | undefined {
  const path = MACHINE_PATHS.find(({ pattern }) => pattern.test(text));
  if (path !== undefined) return path.shape;
  return knowledge.directories.some((directory) => holdsDirectory(text, directory))
    ? "a directory of this machine"
    : undefined;
}

/**
 * What must not be published (records.md 14.6, promise 33), also where a line break was put into it. At most
 * one finding, the credential before the path.
 */
export function judgeDepartingText(
  text: string,
  knowledge: MachineKnowledge,
): PortabilityFinding | undefined {
  const joined = joinLines(text);
  const credential = findCredential(text) ?? findBrokenCredential(joined);
  if (credential !== undefined) return secret(credential);
  if (hasPasswordUrl(text)) return secret("url-with-password");
  if (knowledge.secrets.some((value) => text.includes(value) || joined.includes(value)))
    return secret("environment-variable");
  const path = machinePath(text, knowledge) ?? (joined === text ? undefined : machinePath(joined, knowledge));
  return path === undefined ? undefined : nonportable(path);
}

/** Why a path of the repository may not stand in a record, or undefined: relative, inside, and the same everywhere. */
export function judgeRepositoryPath(path: string): string | undefined {
  if (path === "") return "an empty path";
  if (/^[/~]/.test(path)) return "a path that is not relative";
  if (/[\\:]/.test(path)) return "a path that is not the same on every system";
  return path.split("/").includes("..") ? "a path that leads out of the repository" : undefined;
}
