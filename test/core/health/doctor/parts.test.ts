import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCapability } from "../../../../src/core/capabilities/run.ts";
import type { Checkout } from "../../../../src/core/checkout/checkout.ts";
import { ownProcess } from "../../../../src/core/fs/process.ts";
import type { FindingsAnswer } from "../../../../src/core/health/answers.ts";
import { attestFindings } from "../../../../src/core/health/doctor/attest.ts";
import { judgeLayer } from "../../../../src/core/health/doctor/judge-layer.ts";
import { DOCTOR_PART_NAMES } from "../../../../src/core/health/doctor/part-names.ts";
import type { DoctorPartName } from "../../../../src/core/health/doctor/part-names.ts";
import type { Finding } from "../../../../src/core/labels/terms.ts";
import { readHooksHere } from "../../../../src/core/health/hooks-here.ts";
import { markHooked } from "../../../../src/core/installation/hooked-mark.ts";
import { installHooks } from "../../../../src/hooks/installer/install.ts";
import { newPlace } from "../../../support/checkout.ts";
import type { Place } from "../../../support/checkout.ts";
import { commitFile, git } from "../../../support/repository.ts";
import { putLease, readyLease } from "../../serving/support.ts";
import { faults } from "../support/work.ts";

async function ask(place: Place, name: DoctorPartName): Promise<Finding[]> {
  const answer = await runCapability(await place.checkout(), `doctor.${name}`, {});
  return (answer as FindingsAnswer).findings;
}

function put(place: Place, path: string, text: string, mode = 0o644): void {
  const whole = join(place.root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
}

function change(place: Place, path: string, edit: (text: string) => string): void {
  const whole = join(place.root, path);
  writeFileSync(whole, edit(readFileSync(whole, "utf8")));
}

function said(findings: readonly Finding[], subject: string): string | undefined {
  return findings.find((finding) => finding.subject === subject && finding.level !== "OK")?.message;
}

const STATE = ".ai/local/state";

describe("the doctor's parts in a fresh layer", () => {
  it.each(DOCTOR_PART_NAMES.filter((name) => name !== "hooks" && name !== "environment"))(
    "%s finds nothing",
    async (name) => {
      const findings = await ask(await newPlace(), name);
      expect(findings.filter(({ level }) => level !== "OK" && level !== "INFO")).toEqual([]);
    },
  );

  it("tells what it runs on, and no more", async () => {
    const findings = await ask(await newPlace(), "environment");
    expect(findings.map(({ level, subject }) => `${level} ${subject}`)).toEqual([
      "INFO majordomus",
      "INFO node",
      "INFO git",
    ]);
  });
});

describe("doctor.policy", () => {
  it("names profiles that do not parse, are called otherwise, or are not there", async () => {
    const place = await newPlace();
    put(place, ".ai/repo/profiles/odd.yaml", "name: even\n");
    put(place, ".ai/repo/profiles/wild.yaml", "name: wild\ncolour: red\n");
    change(place, ".ai/repo/policy.yaml", (text) =>
      text.replace("default: implementation", "default: none-such"),
    );
    const findings = await ask(place, "policy");
    expect(faults(findings)).toEqual([
      "FAIL policy .ai/repo/profiles/odd.yaml",
      "FAIL policy .ai/repo/profiles/wild.yaml",
      "FAIL policy policy.yaml",
    ]);
    expect(said(findings, ".ai/repo/profiles/wild.yaml")).toContain("colour");
  });

  it("names clauses that nobody knows, and what no hook of ours does", async () => {
    const place = await newPlace();
    change(place, ".ai/repo/policy.yaml", (text) =>
      text
        .replace("- note_present", "- tea")
        .replace("push_record_on_end: false", "push_record_on_end: true"),
    );
    expect(faults(await ask(place, "policy"))).toEqual([
      "FAIL policy policy.yaml",
      "WARN policy policy.yaml",
    ]);
  });
});

describe("doctor.layer", () => {
  it("names a directory that cannot be written, and the log that hooks turn to", async () => {
    const place = await newPlace();
    const log = join(place.root, ".git/state/majordomus/hooks.log");
    const checkout = await place.checkout();
    rmSync(checkout.common.root, { recursive: true, force: true });
    // A file in the place of a directory refuses every user, the machine's owner too.
    writeFileSync(checkout.common.root, "");
    const subject = ".git/majordomus";
    expect(faults(judgeLayer(checkout))).toEqual([`FAIL layer ${subject}`]);
    expect(said(judgeLayer(checkout), subject)).not.toContain(log);
    put(place, ".git/state/majordomus/hooks.log", "2026-09-04T12:00:00Z claude-code SessionStart: EROFS\n");
    expect(said(judgeLayer(checkout), subject)).toContain(log);
  });

  it.skipIf(process.getuid?.() === 0)("names a state directory without the right to write", async () => {
    const place = await newPlace();
    chmodSync(join(place.root, STATE), 0o500);
    const findings = judgeLayer(await place.checkout());
    chmodSync(join(place.root, STATE), 0o700);
    expect(faults(findings)).toEqual([`FAIL layer ${STATE}`]);
  });

  it("names a section that is not there", async () => {
    const place = await newPlace();
    rmSync(join(place.root, ".ai/repo/rules"), { recursive: true });
    expect(faults(await ask(place, "layer"))).toEqual(["FAIL layer .ai/repo/rules"]);
  });

  it("names context documents that nobody can read, each with a command that waits for nothing", async () => {
    const place = await newPlace();
    put(place, ".ai/repo/broken/README.md", "---\nschema: context/v2\nkind: context\n---\n");
    mkdirSync(join(place.root, ".ai/repo/pipe"));
    execFileSync("mkfifo", [join(place.root, ".ai/repo/pipe/README.md")]);
    mkdirSync(join(place.root, ".ai/repo/folder/README.md"), { recursive: true });
    mkdirSync(join(place.root, ".ai/repo/link"));
    symlinkSync("../broken/README.md", join(place.root, ".ai/repo/link/README.md"));
    const findings = (await ask(place, "layer")).filter(({ level }) => level === "WARN");
    expect(findings.map(({ subject, reproduce }) => [subject, reproduce])).toEqual(
      [
        ["broken", "cat"],
        ["folder", "ls -ld"],
        ["link", "ls -ld"],
        ["pipe", "ls -ld"],
      ].map(([name, command]) => [`.ai/repo/${name}/README.md`, `${command} .ai/repo/${name}/README.md`]),
    );
    expect(said(findings, ".ai/repo/broken/README.md")).toBe(
      "is passed over: its schema is context/v2, not context/v1",
    );
  });

  it("fails when the local half is not ignored, or tracked", async () => {
    const place = await newPlace();
    writeFileSync(join(place.root, ".gitignore"), "");
    expect(said(await ask(place, "layer"), ".ai/local")).toContain("not ignored");
    git(place.root, "checkout", "-q", "--", ".gitignore");
    git(place.root, "add", "-f", `${STATE}/decisions.md`);
    expect(faults(await ask(place, "layer"))).toEqual([`FAIL layer ${STATE}/decisions.md`]);
  });
});

describe("doctor.enforcement", () => {
  async function declared(wiredBy: string): Promise<Place> {
    const place = await newPlace();
    appendFileSync(
      join(place.root, ".ai/repo/policy.yaml"),
      `enforcement:\n  - name: gate\n    path: majordomus\n    args: [doctor]\n    wired_by: ${wiredBy}\n`,
    );
    return place;
  }

  it("wants a git hook that runs, is executable, and passes its exit status on", async () => {
    const place = await declared("git-hook:pre-commit");
    const hook = ".git/hooks/pre-commit";
    expect(said(await ask(place, "enforcement"), "gate")).toContain("no pre-commit hook runs");
    put(place, hook, "#!/bin/sh\nmajordomus doctor\n");
    expect(said(await ask(place, "enforcement"), "gate")).toContain("not executable");
    put(place, hook, "#!/bin/sh\nmajordomus doctor || true\n", 0o755);
    expect(said(await ask(place, "enforcement"), "gate")).toContain("swallows");
    put(place, hook, "#!/bin/sh\nmajordomus doctor\n", 0o755);
    expect(faults(await ask(place, "enforcement"))).toEqual([]);
    rmSync(join(place.root, hook));
    put(place, `${hook}.d/50-doctor`, "#!/bin/sh\nexec majordomus doctor\n", 0o755);
    expect(faults(await ask(place, "enforcement"))).toEqual([]);
    git(place.root, "config", "core.hooksPath", ".githooks");
    expect(faults(await ask(place, "enforcement"))).toEqual(["FAIL enforcement gate"]);
    put(place, ".githooks/pre-commit", "#!/bin/sh\nset -e\nmajordomus doctor\necho\n", 0o755);
    expect(faults(await ask(place, "enforcement"))).toEqual([]);
  });

  it("looks into the file of a pipeline, and into git's settings", async () => {
    const ci = await declared("ci:.ci/run");
    expect(said(await ask(ci, "enforcement"), "gate")).toContain("is not there");
    put(ci, ".ci/run", "# majordomus doctor\nnpm test\n");
    expect(said(await ask(ci, "enforcement"), "gate")).toContain("does not run");
    put(ci, ".ci/run", "npx majordomus doctor\n");
    expect(faults(await ask(ci, "enforcement"))).toEqual([]);
    expect(faults(await ask(await declared("ci:../../etc/passwd"), "enforcement"))).toEqual([
      "FAIL enforcement gate",
    ]);
    const config = await declared("git-config:alias.gate");
    expect(faults(await ask(config, "enforcement"))).toEqual(["FAIL enforcement gate"]);
    git(config.root, "config", "alias.gate", "!majordomus doctor");
    expect(faults(await ask(config, "enforcement"))).toEqual([]);
  });

  it("lists what is run by hand as unverified, and fails what it does not know", async () => {
    expect(faults(await ask(await declared("manual"), "enforcement"))).toEqual(["INFO enforcement gate"]);
    expect(faults(await ask(await declared("carrier-pigeon:blue"), "enforcement"))).toEqual([
      "FAIL enforcement gate",
    ]);
    expect(faults(await ask(await declared("provider-hook:claude-code:session"), "enforcement"))).toEqual([
      "FAIL enforcement gate",
    ]);
  });
});

function install(checkout: Checkout): void {
  const { root, repository } = checkout;
  const script = join(root, ".git", "bin", "majordomus");
  mkdirSync(dirname(script));
  writeFileSync(script, "#!/usr/bin/env node\n");
  installHooks({
    scope: "local",
    root,
    worktrees: [],
    claudeConfigDirectory: join(root, ".git", "claude"),
    commonDirectory: repository.commonDir,
    interpreter: process.execPath,
    script,
  });
  markHooked(repository.gitDir, checkout.head);
}

describe("doctor.hooks", () => {
  async function hooked(): Promise<Place> {
    const place = await newPlace();
    Object.assign(place.surroundings.environment, { HOME: join(place.root, ".git"), CLAUDE_CONFIG_DIR: "" });
    install(await place.checkout());
    return place;
  }

  it("is never well where no hook is installed", async () => {
    const place = await newPlace();
    Object.assign(place.surroundings.environment, { HOME: join(place.root, ".git"), CLAUDE_CONFIG_DIR: "" });
    expect(faults(await ask(place, "hooks"))).toEqual(["FAIL hooks hooks"]);
  });

  it("warns until something was received, and from five commits on says how many", async () => {
    const place = await hooked();
    expect(faults(await ask(place, "hooks"))).toEqual([`WARN hooks ${place.root}`]);
    for (let number = 0; number < 5; number += 1) commitFile(place.root, `file-${number}`, "1\n");
    expect(said(await ask(place, "hooks"), place.root)).toMatch(
      /none has been received.*and 5 commits were made/u,
    );
    const checkout = await place.checkout();
    expect(readHooksHere(checkout).silence).toMatchObject({ level: "WARN" });
    await place.fire("start", "abc");
    expect((await ask(place, "hooks")).map(({ level, subject }) => `${level} ${subject}`)).toEqual([
      `OK ${place.root}`,
      "INFO claude-code",
    ]);
  });

  it("fails after twenty commits without a word when somebody works here", async () => {
    const place = await hooked();
    await place.fire("start", "abc");
    for (let number = 0; number < 20; number += 1) commitFile(place.root, `file-${number}`, "1\n");
    expect(faults(await ask(place, "hooks"))).toEqual([`WARN hooks ${place.root}`, "INFO hooks claude-code"]);
    writeFileSync(join(place.root, "file-1"), "2\n");
    const findings = await ask(place, "hooks");
    expect(faults(findings)).toEqual([`FAIL hooks ${place.root}`, "INFO hooks claude-code"]);
    expect(said(findings, place.root)).toMatch(/since 2026-09-04T12:00:00Z, and 20 commits were made/u);
    await place.fire("stop", "abc");
    expect(faults(await ask(place, "hooks"))).toEqual(["INFO hooks claude-code"]);
  });

  it("does not take pulled commits for work of this worktree", async () => {
    const place = await hooked();
    await place.fire("start", "abc");
    const other = join(place.root, ".git", "other");
    git(place.root, "clone", "-q", place.root, other);
    for (let number = 0; number < 20; number += 1) commitFile(other, `file-${number}`, "1\n");
    git(place.root, "pull", "-q", "--ff-only", other, "main");
    expect(faults(await ask(place, "hooks"))).toEqual(["INFO hooks claude-code"]);
  });

  it("does not take a worker in the middle of a turn for silent", async () => {
    const place = await hooked();
    await place.fire("start", "abc", { processId: process.pid });
    await place.fire("prompt", "abc", { processId: process.pid });
    for (let number = 0; number < 6; number += 1) commitFile(place.root, `file-${number}`, "1\n");
    expect(faults(await ask(place, "hooks"))).toEqual(["INFO hooks claude-code"]);
  });
});

describe("doctor.episodes", () => {
  it("wants the working context of an open episode", async () => {
    const place = await newPlace();
    await place.fire("start", "abc");
    expect(faults(await ask(place, "episodes"))).toEqual([]);
    const { contexts } = (await place.checkout()).layout;
    const [name = ""] = readdirSync(contexts);
    const path = join(contexts, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/^head: .*\n/mu, ""));
    expect(said(await ask(place, "episodes"), "abc")).toContain("names no head");
    writeFileSync(path, text.replace(/^head: /mu, "messages: all\nhead: "));
    expect(said(await ask(place, "episodes"), "abc")).toContain("transcript");
    rmSync(path);
    expect(faults(await ask(place, "episodes"))).toEqual(["FAIL episodes abc"]);
  });

  it("names a file that is no episode, and a pointer that names none", async () => {
    const place = await newPlace();
    await place.fire("start", "abc");
    put(place, `${STATE}/sessions-open/odd.yaml`, "not: an episode\n");
    const { pointer } = (await place.checkout()).layout;
    rmSync(pointer);
    expect(faults(await ask(place, "episodes"))).toEqual([
      "WARN episodes session-current.yaml",
      `FAIL episodes ${STATE}/sessions-open/odd.yaml`,
    ]);
  });
});

describe("doctor.records", () => {
  async function closed(): Promise<{ place: Place; path: string }> {
    const place = await newPlace();
    await place.fire("start", "abc");
    await place.fire("end", "abc", { reason: "clear" });
    git(place.root, "add", "-A");
    git(place.root, "commit", "-q", "-m", "Keep the record");
    const { sessions } = (await place.checkout()).layout;
    const name = readdirSync(sessions).find((entry) => entry.includes("--s-")) ?? "";
    return { place, path: join(sessions, name) };
  }

  it("finds nothing wrong with what we write", async () => {
    const { place } = await closed();
    expect(faults(await ask(place, "records"))).toEqual([]);
  });

  it.each([
    [/^outcome: .*$/mu, "outcome: won", "not closed or interrupted"],
    [/^schema: .*$/mu, "schema: session/v2", "session/v1"],
    [/^closed_at: .*\n/mu, "", "closed_at: missing"],
    [/^title: .*$/mu, "colour: red", "unknown key colour"],
  ])("refuses a record whose %s became %j", async (from, to, message) => {
    const { place, path } = await closed();
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    const findings = await ask(place, "records");
    expect(faults(findings)).toEqual([expect.stringMatching(/^FAIL records \.ai\/repo\/sessions\//u)]);
    expect(findings.find(({ level }) => level === "FAIL")?.message).toContain(message);
  });

  it("names absolute paths, doubled sessions, dangling references and records that no commit has", async () => {
    const { place, path } = await closed();
    const text = readFileSync(path, "utf8");
    const id = /^session_id: (.*)$/mu.exec(text)?.[1] ?? "";
    const reference = ".ai/local/state/handovers/20260904T120000Z--main--abc1234--0000000000000001.md";
    writeFileSync(
      path,
      text
        .replace(/^branch: .*$/mu, "branch: /etc")
        .replace("handovers: []", `handovers:\n  - "${reference}"`),
    );
    writeFileSync(path.replace(".md", "0.md"), text);
    const findings = await ask(place, "records");
    expect(
      findings
        .filter(({ level }) => level !== "OK" && level !== "INFO")
        .map(({ level, message }) => `${level} ${message}`),
    ).toEqual([
      expect.stringMatching(/^FAIL has 2 records: /u),
      "FAIL its branch holds an absolute path",
      `WARN ${reference} does not resolve`,
      "WARN 1 closed record(s) are not committed",
    ]);
    expect(findings.filter(({ level }) => level === "FAIL").every(({ subject }) => subject === id)).toBe(
      true,
    );
  });

  it("warns above the retention of the policy, and of writes that were stopped", async () => {
    const place = await newPlace();
    change(place, ".ai/repo/policy.yaml", (text) =>
      text.replace("retention_max_files: 500", "retention_max_files: 1"),
    );
    const record = (second: number): string =>
      `---\nschema_version: 1\ncreated_at: 2026-09-04T12:00:0${second}Z\ntask_id: none\nprofile: none\nowner: "x"\nhead: NONE\nchanged_files:\n---\n\nbody\n`;
    put(place, `${STATE}/checkpoints/1.md`, record(1));
    put(place, `${STATE}/checkpoints/2.md`, record(2));
    put(place, `${STATE}/handovers/broken.md`, "no front matter\n");
    put(place, `${STATE}/handovers/.tmp.abcdef`, "half");
    expect(faults(await ask(place, "records"))).toEqual([
      `WARN records ${STATE}/handovers/broken.md`,
      `WARN records ${STATE}/handovers/.tmp.abcdef`,
      "WARN retention checkpoints",
    ]);
  });
});

describe("doctor.ledger and doctor.state", () => {
  it("name malformed lines, and a ledger above its cap", async () => {
    const place = await newPlace();
    change(place, ".ai/repo/policy.yaml", (text) =>
      text.replace("retention_max_lines: 5000", "retention_max_lines: 1"),
    );
    put(place, `${STATE}/ledger.jsonl`, "junk\njunk\n");
    expect(faults(await ask(place, "ledger"))).toEqual([
      "FAIL ledger ledger.jsonl:1",
      "FAIL ledger ledger.jsonl:2",
      "WARN retention ledger.jsonl",
    ]);
  });

  it("name a task that is none, questions that are none, and locks of an unknown holder", async () => {
    const place = await newPlace();
    put(place, `${STATE}/current.yaml`, "task: without an id\n");
    appendFileSync(join(place.root, STATE, "open-questions.md"), "- [maybe] t-1 — x (2026-09-04)\n");
    const own = ownProcess();
    const lock = (facts: object): string => JSON.stringify({ token: "0123456789abcdef", ...own, ...facts });
    put(place, `${STATE}/locks/server`, lock({ boot: "an-earlier-boot" }));
    utimesSync(join(place.root, STATE, "locks/server"), 0, 0);
    put(place, `${STATE}/locks/task`, lock({ processId: process.pid }));
    put(place, `${STATE}/locks/ledger`, lock({ boot: "another-machine", namespace: "pid:[1]" }));
    put(place, `${STATE}/locks/questions`, "null");
    // Cut short, and of a time that is not now: the next one takes it.
    put(place, `${STATE}/locks/knowledge`, "");
    const findings = await ask(place, "state");
    expect(faults(findings)).toEqual([
      "FAIL state current.yaml",
      expect.stringMatching(/^FAIL questions open-questions\.md:\d+$/u),
      `WARN locks ${STATE}/locks/ledger`,
      `WARN locks ${STATE}/locks/questions`,
    ]);
    expect(said(findings, `${STATE}/locks/ledger`)).toContain("`majordomus recover orphans` can remove it");
  });
});

describe("doctor.prompts", () => {
  it("names what cannot be filled, by line", async () => {
    const place = await newPlace();
    put(
      place,
      ".ai/repo/prompts/odd.md",
      "---\nname: odd\ndescription: x\nprofile: nobody\n---\n\n{{TASK}} {{TEA}}\nsee {{CONTEXT}}\n{{HANDOVER}}\n",
    );
    put(place, ".ai/repo/prompts/wrong.md", "---\nname: right\n---\n");
    const findings = await ask(place, "prompts");
    expect(faults(findings)).toEqual([
      "FAIL prompts .ai/repo/prompts/wrong.md",
      "FAIL prompts .ai/repo/prompts/odd.md:7",
      "FAIL prompts .ai/repo/prompts/odd.md:8",
      "FAIL prompts .ai/repo/prompts/odd.md",
    ]);
    expect(said(findings, ".ai/repo/prompts/odd.md:8")).toContain("alone on its line");
  });
});

describe("an attestation", () => {
  it("keeps the findings under a name of their own", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const finding: Finding = { level: "FAIL", category: "x", subject: "y", message: "z" };
    const first = attestFindings(checkout, [finding]);
    expect(first).toBe(".ai/local/evidence/doctor/20260904T120000Z.json");
    expect(attestFindings(checkout, [])).toBe(".ai/local/evidence/doctor/20260904T120000Z-2.json");
    expect(JSON.parse(readFileSync(join(place.root, first), "utf8"))).toMatchObject({
      schema: "majordomus-doctor/v1",
      at: "2026-09-04T12:00:00Z",
      failed: 1,
      findings: [finding],
    });
  });
});

describe("doctor.server", () => {
  it("tells the standings apart, and what is nobody's fault from what needs a person", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const levels: Record<string, string> = {};
    const note = async (name: string): Promise<void> => {
      const [finding] = await ask(place, "server");
      levels[name] = `${finding?.level ?? ""} ${finding?.subject ?? ""}`;
    };
    await note("none");
    const program = { path: "/opt/majordomus/bin/majordomus", build: "1" };
    putLease(checkout, readyLease(checkout, program, { ...ownProcess(), started: "1" }));
    await note("dead");
    // Nobody listens there: port 1 is for the system's own.
    putLease(checkout, readyLease(checkout, program, ownProcess(), { url: "http://127.0.0.1:1" }));
    await note("silent");
    putLease(checkout, { token: "theirs" });
    await note("foreign");
    expect(levels).toEqual({
      none: "INFO absent",
      dead: "INFO stale",
      silent: "WARN stale",
      foreign: "WARN foreign",
    });
  });

  it("fails where others can read the token", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const program = { path: "/opt/majordomus/bin/majordomus", build: "1" };
    putLease(checkout, readyLease(checkout, program, { ...ownProcess(), started: "1" }));
    chmodSync(join(place.root, STATE, "mcp/server.json"), 0o640);
    expect(faults(await ask(place, "server"))).toContain(`FAIL server ${STATE}/mcp/server.json`);
  });
});
