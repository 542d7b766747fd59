import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { initialiseLayer } from "../../src/core/boundary/initialise.ts";
import { capsuleText, hoursAgo } from "../core/capsule/support/memory.ts";
import { PROGRAM } from "../support/built.ts";
import { eventually } from "../support/console-session.ts";
import { newRepository } from "../support/repository.ts";
import { openTerminal } from "../support/terminal.ts";

it("a person resumes a capsule that is not the newest, then the newest, and reads what was printed", async () => {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await initialiseLayer(root, { extend: false });
  const capsules = join(root, ".ai/local/memory/capsules");
  mkdirSync(capsules, { recursive: true });
  const texts = {
    "newest.md": capsuleText({ id: "newest", created_at: hoursAgo(48) }),
    "other.md": capsuleText({ id: "other", created_at: hoursAgo(72) }),
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(capsules, name), text);
  const statusOf = (name: keyof typeof texts): string | undefined => {
    const text = readFileSync(join(capsules, name), "utf8");
    const status = /^status: (.*)$/m.exec(text)?.[1];
    expect(text).toBe(texts[name].replace("status: active", `status: ${status ?? ""}`));
    return status;
  };
  const session = openTerminal(process.execPath, [PROGRAM, "tui"], {
    columns: 110,
    rows: 40,
    cwd: root,
    environment: { MAJORDOMUS_SERVER: "off", AIGENT_STATE_HOME_DIR: "", AIGENT_COORDINATION_STATE: "" },
  });
  onTestFinished(session.kill);
  const shows = (text: string): Promise<void> => eventually(() => expect(session.text()).toContain(text));
  session.write("4");
  await shows("2 on disk = 1 selected + 1 not-newest");
  await shows("▸● newest");
  session.write("jS");
  await shows("status of other.md: active -> resumed");
  expect(statusOf("other.md")).toBe("active");
  session.write("\r");
  await shows("The procedure that was printed");
  session.write("G");
  await shows('1x not-named ("a clear would resume it"): "newest.md"');
  expect([statusOf("newest.md"), statusOf("other.md")]).toEqual(["active", "resumed"]);
  session.write("y");
  await eventually(() => expect(session.raw()).toMatch(/\u001B]52;c;[A-Za-z0-9+/=]{200,}\u0007/));
  session.write("q");
  await shows("1 already-consumed (resumed)");
  session.write("T");
  await shows("Resume the newest capsule headlessly?");
  session.write("\r");
  await shows("newest.md is resumed now");
  expect(statusOf("newest.md")).toBe("resumed");
  session.write("qT");
  await shows("there is nothing to resume: all-candidates-rejected");
  session.write("q");
  await eventually(() => expect(session.exited()).toBe(0));
});
