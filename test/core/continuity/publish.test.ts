import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import type { SignedRecord } from "../../../src/core/continuity/record.ts";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine } from "./support/machines.ts";

const REFERENCE = "refs/majordomus/continuity";

function stored(machine: Machine, id: string): SignedRecord {
  return JSON.parse(machine.git("cat-file", "blob", `${REFERENCE}:records/${id}.json`)) as SignedRecord;
}

function ids(machine: Machine): string[] {
  return machine
    .git("ls-tree", "-r", "--name-only", REFERENCE)
    .split("\n")
    .map((path) => path.slice("records/".length, -".json".length));
}

function stateOf(machine: Machine): {
  branches: Record<string, { record: string; line: string; via: string }>;
} {
  return JSON.parse(readFileSync(join(machine.root, ".ai/local/state/continuity.json"), "utf8"));
}

describe("publishing what cannot be read", () => {
  it.each(["decisions.md", "current.yaml"])(
    "%s is refused: the record would lack it for ever",
    async (name) => {
      const machine = (await newTeam()).machine("macbook");
      await machine.handOver(bodyOf("First."), { task: "t-20260904120000-0001" });
      const path = join(machine.root, ".ai/local/state", name);
      rmSync(path, { force: true });
      mkdirSync(path);
      await expect(publishHandover(await machine.checkout(), {})).rejects.toMatchObject({
        exit: 10,
        subject: path,
      });
      expect(() => machine.git("rev-parse", "--verify", "--quiet", REFERENCE)).toThrow();
    },
  );
});

describe("publishing", () => {
  it("carries on what others put beside records, though git would take it in no pack", async () => {
    const machine = (await newTeam()).machine("macbook");
    await machine.handOver(bodyOf("First."));
    const first = await publishHandover(await machine.checkout(), {});
    const input = (command: string[], stdin: string): string =>
      execFileSync("git", command, { cwd: machine.root, input: stdin }).toString().trim();
    const blob = input(["hash-object", "-w", "--stdin"], "gitdir: elsewhere\n");
    const beside = `100644 blob ${blob}\t.git`;
    const tree = input(["mktree"], `${machine.git("ls-tree", REFERENCE)}\n${beside}\n`);
    machine.git("update-ref", REFERENCE, machine.git("commit-tree", "-p", REFERENCE, "-m", "x", tree));
    await machine.handOver(bodyOf("Second."));
    const second = await publishHandover(await machine.checkout(), {});
    expect(machine.git("ls-tree", REFERENCE).split("\n")).toContain(beside);
    expect(machine.git("ls-tree", "--name-only", REFERENCE, "records/").split("\n")).toEqual(
      [first, second].map(({ record }) => `records/${record.id}.json`).toSorted(),
    );
  });

  it.each([{ GIT_AUTHOR_NAME: "" }, { GIT_COMMITTER_NAME: "<>;" }])(
    "is by the stand-in where git takes nobody called %j",
    async (odd) => {
      const machine = (await newTeam()).machine("macbook");
      machine.git("config", "user.name", "Wren");
      machine.git("config", "user.email", "wren@example.org");
      Object.assign(machine.environment, odd);
      await machine.handOver(bodyOf("One"));
      const { tip } = await publishHandover(await machine.checkout(), {});
      const who = "majordomus <majordomus@localhost>";
      expect(machine.git("log", "-1", "--format=%an <%ae>, %cn <%ce>", tip ?? "")).toBe(`${who}, ${who}`);
    },
  );

  it("writes one signed record into a reference of its own, and touches nothing else", async () => {
    const machine = (await newTeam()).machine("macbook");
    const name = await machine.handOver(bodyOf("Fix the callback."));
    const before = [machine.git("status", "--porcelain"), machine.git("for-each-ref"), machine.git("reflog")];
    const answer = await publishHandover(await machine.checkout(), { issue: "#184", milestone: "M1" });
    expect(answer).toMatchObject({
      written: true,
      handover: `.ai/local/state/handovers/${name}`,
      next: ["majordomus continuity sync"],
      record: {
        this_device: true,
        trust: "this_device",
        branch: "main",
        working_tree: "clean",
        changed_total: 0,
        issue: "#184",
        objective: "Fix the callback.",
        published_at: "2026-10-03T18:00:00Z",
        age_minutes: 0,
      },
    });
    const { id } = answer.record;
    expect(answer.record.line).toBe(id);
    expect(ids(machine)).toEqual([id]);
    expect(machine.git("rev-parse", REFERENCE)).toBe(answer.tip);
    const log = machine.git("log", "-1", "--format=%B%an <%ae>", REFERENCE);
    expect(log).toBe(
      `majordomus continuity: ${id.slice(0, 16)} from ${answer.record.device.label}\nmajordomus <majordomus@localhost>`,
    );
    expect(machine.git("ls-tree", "-t", REFERENCE)).toMatch(/^040000 tree [0-9a-f]{40}\trecords$/);
    expect(machine.git("status", "--porcelain")).toBe(before[0]);
    expect(
      machine
        .git("for-each-ref")
        .split("\n")
        .filter((line) => !line.includes("majordomus")),
    ).toEqual(before[1]?.split("\n"));
    expect(machine.git("reflog")).toBe(before[2]);
    const { record } = stored(machine, id);
    expect(record).toEqual({
      schema: "majordomus-continuity/v1",
      repository: expect.stringMatching(/^[0-9a-f]{32}$/),
      device: { node: answer.record.device.node, label: answer.record.device.label },
      episode: "none",
      published_at: "2026-10-03T18:00:00Z",
      producer: "0.0.0-test",
      source: {
        branch: "main",
        head: machine.git("rev-parse", "HEAD"),
        working_tree: "clean",
        changed_total: 0,
      },
      handover: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        issue: "#184",
        milestone: "M1",
        branch: "main",
        head: machine.git("rev-parse", "HEAD"),
        created_at: "2026-10-03T18:00:00Z",
        name,
        body: bodyOf("Fix the callback."),
      },
    });
    expect(stateOf(machine).branches).toMatchObject({ main: { record: id, line: id, via: "published" } });
    expect(existsSync(join(machine.root, ".ai/local/state/ledger.jsonl"))).toBe(false);
  });

  it("a second run with nothing new writes nothing; a new handover goes on from the last one", async () => {
    const machine = (await newTeam()).machine("macbook");
    await machine.handOver(bodyOf("One"));
    const first = await publishHandover(await machine.checkout(), { issue: "#1" });
    machine.clock.forward(5);
    const again = await publishHandover(await machine.checkout(), {});
    expect(again).toMatchObject({ written: false, tip: first.tip, record: { id: first.record.id } });
    await machine.handOver(bodyOf("Two"));
    const second = await publishHandover(await machine.checkout(), {});
    expect(second.record).toMatchObject({ line: first.record.id, parent: first.record.id, issue: "#1" });
    machine.commit("a.txt", "a\n");
    const third = await publishHandover(await machine.checkout(), { issue: "#2" });
    expect(third.record).toMatchObject({ parent: second.record.id, line: first.record.id, issue: "#2" });
  });

  it("carries the task, its decisions, the open episode and uncommitted work", async () => {
    const machine = (await newTeam()).machine("macbook");
    const state = join(machine.root, ".ai/local/state");
    mkdirSync(join(state, "sessions-open"), { recursive: true });
    writeFileSync(
      join(state, "current.yaml"),
      `id: t-20261003180000-0a1b\ntask: fix the callback\ntitle: Fix the "callback"\nprofile: debugging\nowner: wren\nscope:\n  - lib\n  - src\nstarted_at: 2026-10-03T17:00:00Z\noutcome: active\nworktree: ${machine.root}\n`,
    );
    writeFileSync(
      join(state, "decisions.md"),
      "# Decisions\n\n## 2026-10-01 — other\nTask: t-other\nWhy: x\n\n<!-- ## hidden\nTask: t-20261003180000-0a1b -->\n## 2026-10-03 — one store\nTask: t-20261003180000-0a1b\nHead: abc\nWhy: fewer clocks\nRejected: -\n",
    );
    const session = "s-20261003170000-fc51";
    writeFileSync(
      join(state, "session-current.yaml"),
      `session_id: ${session}\nstarted_at: 2026-10-03T17:00:00Z\nworktree: ${machine.root}\nbranch: main\nstart_head: abc\n`,
    );
    writeFileSync(join(machine.root, "README.md"), "# changed\n");
    writeFileSync(join(machine.root, "ü new.txt"), "new\n");
    await machine.handOver(bodyOf("One"), { task: "t-20261003180000-0a1b" });
    const { record: view } = await publishHandover(await machine.checkout(), {});
    const { record } = stored(machine, view.id);
    expect(record).toMatchObject({
      session,
      episode: "open",
      task: {
        id: "t-20261003180000-0a1b",
        title: 'Fix the "callback"',
        profile: "debugging",
        scope: ["lib", "src"],
        outcome: "active",
      },
      decisions: [
        {
          title: "2026-10-03 — one store",
          text: "Task: t-20261003180000-0a1b\nHead: abc\nWhy: fewer clocks\nRejected: -\n",
        },
      ],
      source: {
        working_tree: "dirty",
        changed: ["README.md", "ü new.txt"],
        changed_total: 2,
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
    // The fingerprint by its definition, from git's own output.
    const diff = execFileSync("git", ["diff", "--binary", "HEAD"], { cwd: machine.root });
    const { createHash } = await import("node:crypto");
    const expected = createHash("sha256")
      .update(diff)
      .update("\0untracked\0ü new.txt")
      .update("new\n")
      .digest("hex");
    expect(record.source.fingerprint).toBe(expected.slice(0, 32));
  });

  it("keys are made once, and many publishers at once make one chain", async () => {
    const machine = (await newTeam()).machine("macbook");
    for (let index = 0; index < 3; index += 1) {
      machine.clock.forward(1);
      await machine.handOver(bodyOf(`Number ${index}`));
      await publishHandover(await machine.checkout(), {});
    }
    const all = ids(machine).map((id) => stored(machine, id));
    expect(new Set(all.map(({ public_key: key }) => key)).size).toBe(1);
    expect(all.filter(({ record }) => record.parent === undefined)).toHaveLength(1);
  });
});

describe("a publication is refused, and nothing changes, when", () => {
  async function refusal(
    prepare: (machine: Machine) => unknown,
    request: Parameters<typeof publishHandover>[1] = {},
  ): Promise<object> {
    const machine = (await newTeam()).machine("macbook");
    await prepare(machine);
    const error = await publishHandover(await machine.checkout(), request).then(
      () => new Error("was published"),
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toMatchObject({ exit: 10 });
    expect(machine.git("for-each-ref", "refs/majordomus")).toBe("");
    expect(existsSync(join(machine.root, ".ai/local/state/continuity.json"))).toBe(false);
    expect(existsSync(join(machine.root, ".git/majordomus/continuity"))).toBe(false);
    return { ...error, message: error.message };
  }
  const token = `ghp_${"A1b2".repeat(9)}`;

  it("there is no handover", async () => {
    expect(await refusal(() => undefined)).toMatchObject({ code: "continuity.no_handover" });
  });

  it.each([["../x.md"], ["a/b.md"], [".."], ["x.txt"]])("the handover is called %s", async (handover) => {
    expect(await refusal((machine) => machine.handOver(bodyOf("One")), { handover })).toMatchObject({
      code: "continuity.handover_name",
    });
  });

  it("the handover came from another machine", async () => {
    expect(
      await refusal(async (machine) => {
        const name = await machine.handOver(bodyOf("One"));
        const path = join(machine.root, ".ai/local/state/handovers", name);
        writeFileSync(
          path,
          readFileSync(path, "utf8").replace("changed_files:", "changed_files:\ncontinuity_device: abc"),
        );
      }),
    ).toMatchObject({ code: "continuity.arrived" });
  });

  it.each<[string, string, string, string]>([
    ["a token in the body", `see ${token}`, "continuity.secret", "/handover/body"],
    [
      "a token over two lines",
      `see ${token.slice(0, 9)}\n${token.slice(9)}`,
      "continuity.secret",
      "/handover/body",
    ],
    ["a path of a home", "in /Users/wren/app/x", "continuity.nonportable_field", "/handover/body"],
    ["what only secretlint knows", `npm_${"a1B2c3".repeat(6)}`, "continuity.secret", "/handover/body"],
    [
      "what a comment would excuse",
      `secretlint-disable\nnpm_${"a1B2c3".repeat(6)}`,
      "continuity.secret",
      "/handover/body",
    ],
    ["a URL with a password", "https://wren:hunter@example.org/x", "continuity.secret", "/handover/body"],
    ["a body that is too long", "x".repeat(33_000), "continuity.record_malformed", "/handover/body"],
  ])("%s", async (_, text, code, subject) => {
    const error = await refusal((machine) => machine.handOver(bodyOf(text)));
    expect(error).toMatchObject({ code, subject });
    expect(JSON.stringify(error)).not.toContain("A1b2");
    expect(JSON.stringify(error)).not.toContain("hunter");
    expect(JSON.stringify(error)).not.toContain("a1B2c3");
  });

  it("the directory of this very checkout stands in the body", async () => {
    expect(await refusal((machine) => machine.handOver(bodyOf(`in ${machine.root}/src`)))).toMatchObject({
      code: "continuity.nonportable_field",
      subject: "/handover/body",
    });
  });

  it("a secret variable's value stands in it", async () => {
    expect(
      await refusal(async (machine) => {
        machine.environment["DEPLOY_TOKEN"] = "three blind mice";
        await machine.handOver(bodyOf("say three blind mice"));
      }),
    ).toMatchObject({ code: "continuity.secret", subject: "/handover/body" });
  });

  it("the branch is called like a token", async () => {
    expect(
      await refusal(async (machine) => {
        machine.git("switch", "-q", "-c", token);
        await machine.handOver(bodyOf("One"), { branch: "main" });
      }),
    ).toMatchObject({ code: "continuity.secret", subject: "/source/branch" });
  });

  it("a changed path is not the same on every system", async () => {
    expect(
      await refusal(async (machine) => {
        writeFileSync(join(machine.root, "a:b"), "");
        await machine.handOver(bodyOf("One"));
      }),
    ).toMatchObject({ code: "continuity.nonportable_field", subject: "/source/changed/0" });
  });

  it("the issue is more than a short line", async () => {
    expect(
      await refusal((machine) => machine.handOver(bodyOf("One")), {
        issue: "two\nlines",
      }),
    ).toMatchObject({ code: "continuity.record_malformed", subject: "/handover/issue" });
  });

  it("a trust declaration cannot be read", async () => {
    expect(
      await refusal(async (machine) => {
        mkdirSync(join(machine.root, ".ai/repo/mesh"), { recursive: true });
        writeFileSync(join(machine.root, ".ai/repo/mesh/team.yaml"), "schema: mesh/v1\ntrust: [\n");
        await machine.handOver(bodyOf("One"));
      }),
    ).toMatchObject({ code: "mesh.invalid" });
  });
});

describe("a reference that is not ours", () => {
  it.each<[string, (machine: Machine) => void]>([
    ["leads to a branch", (machine) => machine.git("symbolic-ref", REFERENCE, "refs/heads/main")],
    ["is a commit of sources", (machine) => machine.git("update-ref", REFERENCE, "HEAD")],
    [
      "is a blob",
      (machine) => machine.git("update-ref", REFERENCE, machine.git("hash-object", "-w", "README.md")),
    ],
  ])("that %s is left alone, and the refusal says so", async (_, prepare) => {
    const machine = (await newTeam()).machine("macbook");
    prepare(machine);
    await machine.handOver(bodyOf("One"));
    const before = machine.git("for-each-ref");
    await expect(publishHandover(await machine.checkout(), {})).rejects.toMatchObject({
      code: "continuity.not_ours",
      exit: 10,
    });
    expect(machine.git("for-each-ref")).toBe(before);
  });

  it("keeps files beside the records, and files that are no records", async () => {
    const machine = (await newTeam()).machine("macbook");
    const blob = machine.git("hash-object", "-w", "README.md");
    writeFileSync(join(machine.root, "tree"), `100644 blob ${blob}\tnote.txt\n`);
    const records = execFileSync("git", ["mktree"], {
      cwd: machine.root,
      input: `100644 blob ${blob}\tnote.txt\n`,
    })
      .toString()
      .trim();
    const tree = execFileSync("git", ["mktree"], {
      cwd: machine.root,
      input: `100644 blob ${blob}\tVERSION\n040000 tree ${records}\trecords\n`,
    })
      .toString()
      .trim();
    machine.git("update-ref", REFERENCE, machine.git("commit-tree", "-m", "x", tree));
    machine.git("clean", "-qf");
    await machine.handOver(bodyOf("One"));
    const { record } = await publishHandover(await machine.checkout(), {});
    expect(machine.git("ls-tree", "-r", "--name-only", REFERENCE).split("\n").toSorted()).toEqual(
      ["VERSION", `records/${record.id}.json`, "records/note.txt"].toSorted(),
    );
  });
});

describe("what stops a publication half-way", () => {
  it("at every single disk operation leaves a store from which the next run completes without doubling", async () => {
    const machine = (await newTeam()).machine("macbook");
    await machine.handOver(bodyOf("Zero"));
    const zero = await publishHandover(await machine.checkout(), {});
    let failures = 0;
    for (let at = 1; at < 60; at += 1) {
      machine.clock.forward(1);
      await machine.handOver(bodyOf(`Number ${at}`));
      const before = ids(machine).length;
      const checkout = await machine.checkout();
      injectFaults(parseFaultPlan(`ENOSPC@${at}:write,rename,fsync,link`));
      const outcome = await publishHandover(checkout, {}).catch((error: unknown) => error as Error);
      injectFaults(undefined);
      if (!(outcome instanceof Error)) break;
      failures += 1;
      const again = await publishHandover(await machine.checkout(), {});
      expect(ids(machine)).toHaveLength(before + 1);
      expect(stateOf(machine).branches["main"]?.record).toBe(again.record.id);
    }
    expect(failures).toBeGreaterThan(2);
    const heads = new Set(ids(machine));
    for (const id of ids(machine)) heads.delete(stored(machine, id).record.parent ?? "");
    expect(heads.size).toBe(1);
    expect(ids(machine)).toContain(zero.record.id);
  });

  it("a state file that cannot be read is never replaced", async () => {
    const machine = (await newTeam()).machine("macbook");
    await machine.handOver(bodyOf("One"));
    const path = join(machine.root, ".ai/local/state/continuity.json");
    writeFileSync(path, '{"schema":"majordomus-continuity-local/v2"}');
    await expect(publishHandover(await machine.checkout(), {})).rejects.toMatchObject({
      code: "continuity.state_unreadable",
      exit: 13,
    });
    expect(readFileSync(path, "utf8")).toBe('{"schema":"majordomus-continuity-local/v2"}');
    expect(machine.git("for-each-ref", "refs/majordomus")).toBe("");
  });

  it("a repository without commits is refused; none of the user's hooks ever runs", async () => {
    const machine = (await newTeam()).machine("macbook");
    const hooks = join(machine.root, ".git/hooks");
    mkdirSync(hooks, { recursive: true });
    for (const name of ["pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-rewrite"]) {
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${machine.root}/.git/ran\nexit 1\n`);
      chmodSync(join(hooks, name), 0o755);
    }
    await machine.handOver(bodyOf("One"));
    await publishHandover(await machine.checkout(), {});
    expect(readdirSync(join(machine.root, ".git"))).not.toContain("ran");
  });
});
