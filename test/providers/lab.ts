import { execFileSync, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { git, newRepository } from "../support/repository.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const TOOLS = process.env["MAJORDOMUS_PROVIDERS"] ?? "";
const CLAUDE = join(TOOLS, "node_modules", ".bin", "claude");
const PORT = "8099";

interface JournalLine {
  phase: string;
  event: string;
  session?: string;
  source?: string;
  steps?: { step: string; result: string }[];
}

/** The built program in a place of its own: a build that happens meanwhile must not reach into the test. */
function copyProgram(directory: string): string {
  for (const part of ["bin", "dist"]) cpSync(join(ROOT, part), join(directory, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return join(directory, "bin", "majordomus");
}

type Terminal = "tool" | "console";

/** A limit for hangs, and how often is looked. */
const WAIT = { timeout: 60_000, interval: 100 };

/** Waits until somebody listens on a port of this machine. */
export async function listening(port: string): Promise<void> {
  await vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), "127.0.0.1", () => {
          socket.destroy();
          resolve();
        });
        socket.on("error", reject);
      }),
    WAIT,
  );
}

/** How often a text stands in another. */
function count(text: string, within: string): number {
  return within.split(text).length - 1;
}

/** A repository with our hooks, a home of its own, and a model that answers from a script. */
export class Lab {
  readonly home: string;
  readonly root: string;
  readonly #stub: ChildProcess;
  readonly #requests: string;
  readonly #socket: string;
  readonly #program: string;
  readonly #directory: string;

  /** Makes a lab whose model answers. */
  static async open(): Promise<Lab> {
    const lab = new Lab();
    await listening(PORT);
    return lab;
  }

  private constructor() {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "majordomus-lab-")));
    this.#directory = directory;
    this.home = join(directory, "home");
    this.#requests = join(directory, "requests.log");
    this.#socket = `lab-${process.pid}-${Math.floor(performance.now())}`;
    mkdirSync(this.home);
    this.#program = copyProgram(directory);
    this.root = newRepository();
    this.#acceptEverything();
    this.majordomus("init");
    git(this.root, "add", "-A");
    git(this.root, "commit", "-q", "-m", "Lay the layer");
    this.majordomus("hooks", "install", "claude-code");
    this.#stub = spawn(process.execPath, [join(ROOT, "test/providers/stub-model.mjs")], {
      env: { ...process.env, STUB_PORT: PORT, STUB_DIR: directory, STUB_REQLOG: this.#requests },
      stdio: "ignore",
    });
  }

  /** The questions of a first run, answered. */
  #acceptEverything(): void {
    const settings = {
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["sk-stub"], rejected: [] },
      projects: { [this.root]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    writeFileSync(join(this.home, ".claude.json"), JSON.stringify(settings));
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      MAJORDOMUS_SERVER: "off",
      HOME: this.home,
      USER: "lab",
      TERM: "xterm-256color",
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${PORT}`,
      ANTHROPIC_API_KEY: "sk-stub",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
    };
  }

  majordomus(...arguments_: string[]): string {
    return execFileSync(process.execPath, [this.#program, ...arguments_], {
      cwd: this.root,
      env: this.environment,
      encoding: "utf8",
    });
  }

  /** Runs the tool without a terminal, to its end. */
  headless(...arguments_: string[]): { status: number | null; stdout: string } {
    const { status, stdout } = spawnSync(CLAUDE, arguments_, {
      cwd: this.root,
      env: this.environment,
      encoding: "utf8",
      input: "",
      timeout: 90_000,
    });
    return { status, stdout };
  }

  /** One terminal for the tool and one for the console: either may be closed alone. */
  #tmux(terminal: Terminal, ...arguments_: string[]): string {
    return execFileSync("tmux", ["-L", `${this.#socket}-${terminal}`, "-f", "/dev/null", ...arguments_], {
      env: this.environment,
      encoding: "utf8",
    });
  }

  #open(terminal: Terminal, columns: number, rows: number, command: string): void {
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux(terminal, "new-session", "-d", "-s", terminal, ...size, "-c", this.root, command);
  }

  /** Starts the tool in a terminal of its own, when the one before has left it. */
  async interactive(...arguments_: string[]): Promise<void> {
    await vi.waitUntil(() => !this.#isOpen("tool"), WAIT);
    this.#open("tool", 120, 40, [CLAUDE, ...arguments_].join(" "));
  }

  /** What a terminal shows now. */
  #screen(terminal: Terminal): string {
    return this.#tmux(terminal, "capture-pane", "-p", "-t", terminal);
  }

  /** Types a line into the tool, and sends it once it stands there. */
  async say(text: string): Promise<void> {
    const before = count(text, this.#screen("tool"));
    this.#tmux("tool", "send-keys", "-t", "tool", "-l", text);
    await vi.waitUntil(() => count(text, this.#screen("tool")) > before, WAIT);
    this.#tmux("tool", "send-keys", "-t", "tool", "Enter");
  }

  #isOpen(terminal: Terminal): boolean {
    const asked = ["-L", `${this.#socket}-${terminal}`, "has-session", "-t", terminal];
    return spawnSync("tmux", asked, { env: this.environment, stdio: "ignore" }).status === 0;
  }

  /** The tool's own process. */
  get pid(): number {
    return Number(this.#tmux("tool", "list-panes", "-t", "tool", "-F", "#{pane_pid}").trim());
  }

  closeTerminal(terminal: Terminal = "tool"): void {
    spawnSync("tmux", ["-L", `${this.#socket}-${terminal}`, "kill-server"]);
  }

  /** Starts the operator's console beside the tool. */
  openConsole(): void {
    this.#open("console", 200, 50, `${process.execPath} ${this.#program} tui`);
  }

  /** What the console shows now. */
  console(): string {
    return this.#screen("console");
  }

  /** What has been received so far: `SessionStart startup`. */
  received(): string[] {
    return this.journal()
      .filter((line) => line.phase === "received")
      .map((line) => [line.event, line.source].filter(Boolean).join(" "));
  }

  journal(): JournalLine[] {
    const directory = join(this.root, ".git", "majordomus", "events");
    if (!existsSync(directory)) return [];
    return readdirSync(directory)
      .flatMap((name) => readFileSync(join(directory, name), "utf8").trim().split("\n"))
      .map((line) => JSON.parse(line) as JournalLine);
  }

  /** Everything that reached the model. */
  requests(): string {
    return existsSync(this.#requests) ? readFileSync(this.#requests, "utf8") : "";
  }

  episodes(): { session_id: string; worker_state: string; standing: string }[] {
    const answer = JSON.parse(this.majordomus("lifecycle", "episodes", "--json")) as {
      episodes?: { session_id: string; worker_state: string; standing: string }[];
    };
    return answer.episodes ?? [];
  }

  records(): string[] {
    return readdirSync(join(this.root, ".ai", "repo", "sessions")).filter((name) => /^\d/.test(name));
  }

  /** The messages of the newest request that reached the model with this text in it. */
  requestWith(text: string): string {
    return (
      this.requests()
        .split("\n")
        .findLast((line) => line.includes(text)) ?? ""
    );
  }

  ledger(): string {
    return readFileSync(join(this.root, ".ai", "local", "state", "ledger.jsonl"), "utf8");
  }

  /** The processes that work in this lab: hooks and what they start name our program, tools have our repository. */
  #processes(): string[] {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
    return lines.filter((line) => [this.#directory, this.root].some((path) => line.includes(path)));
  }

  async close(): Promise<void> {
    const tool = this.#isOpen("tool") ? this.pid : undefined;
    this.closeTerminal("tool");
    this.closeTerminal("console");
    this.#stub.kill();
    // A tool that goes has hooks to run, and those write here.
    await vi.waitUntil(() => tool === undefined || !this.#isAlive(tool), WAIT);
    // One that hands on little of its environment has had our server start the shared one.
    this.majordomus("serve", "stop", "--wait", "30");
    await vi.waitUntil(() => this.#processes().length === 0, WAIT);
    for (const path of [this.root, this.#directory])
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }

  #isAlive(pid: number): boolean {
    return spawnSync("ps", ["-o", "pid=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim() !== "";
  }
}
