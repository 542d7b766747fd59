import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually, newTranscript, vaultOf } from "../scenario/support/capsules.ts";
import { claude } from "../scenario/support/hooks.ts";
import { command, makePlace } from "../scenario/support/place.ts";
import { fillUp, mountSmall } from "./support/small-disk.ts";

test("memory on a full disk: a turn that could not be saved is told of, and saved when there is room", async ({
  skip,
}) => {
  const place = await makePlace();
  const vault = vaultOf(place);
  mkdirSync(vault.memory, { recursive: true });
  const unmount = mountSmall(vault.memory);
  if (typeof unmount === "string") return skip(unmount);
  onTestFinished(unmount);
  const talk = newTranscript(place);
  const fields = { transcript_path: talk.path };
  await claude(place, "SessionStart", "one", { fields });
  talk.say("Move the parser to streaming reads");

  // A page that is there already would have room for a line.
  rmSync(join(vault.memory, ".daemon-errors.log"), { force: true });
  const filler = join(vault.memory, "filler");
  fillUp(filler, 0);
  expect(await claude(place, "Stop", "one", { fields })).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const log = join(place.directory, "state/majordomus/hooks.log");
  await eventually(() =>
    expect(readFileSync(log, "utf8")).toMatch(
      /could not be written: tag="stop-capsule-writer" message="ENOSPC/,
    ),
  );
  expect(vault.names()).toEqual([]);
  const sick = await command(place, ["doctor"]);
  expect(sick.stdout).toMatch(/^FAIL capsules +[.]ai[/]local[/]memory . its file system is full/m);
  expect(sick.stdout).toMatch(/^WARN capsules +hooks[.]log .*ENOSPC/m);

  rmSync(filler);
  await claude(place, "Stop", "one", { fields });
  await eventually(() => expect(vault.names()).toHaveLength(1));
  expect(vault.text(vault.names()[0] ?? "")).toContain("Move the parser to streaming reads");
  await eventually(() => expect(readdirSync(join(vault.memory, "runtime/locks"))).toEqual([]));
});
