import { render } from "ink-testing-library";
import { describe, expect, it, vi } from "vitest";
import { Keyboard } from "../../src/tui/input.tsx";
import { ago, EPISODES, episodesAnswer, NOW, ROOT } from "../support/console-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import { consoleTree } from "../support/console-frame.tsx";

describe("a mounted console", () => {
  it("answers keys that come in one chunk", async () => {
    const desk = await openDesk();
    const { lastFrame, stdin, unmount } = render(
      <>
        {consoleTree(desk)}
        <Keyboard desk={desk} />
      </>,
    );
    expect(lastFrame()).toContain("▸● current");
    await vi.waitFor(() => {
      // The keyboard listens from the first effect on: until then a key finds nobody.
      stdin.write("jj");
      expect(lastFrame()).toContain("▸◌ foreign");
    });
    stdin.write("\tj");
    await vi.waitFor(() => expect(lastFrame()).toContain("▸✕ worker gone"));
    stdin.write("2");
    await vi.waitFor(() => expect(lastFrame()).toContain("7 open · 2 of them stranded · 41 closed"));
    unmount();
  });

  it("draws no frame for data that did not change", async () => {
    const desk = await openDesk();
    // What judges everything rests from here on, and is marked as such once.
    desk.refresh(ROOT);
    await desk.settle();
    const { frames, lastFrame, unmount } = render(consoleTree(desk));
    const count = frames.length;
    desk.refresh(ROOT);
    await desk.settle();
    for (let second = 1; second <= 5; second++) desk.store.setState({ verified: NOW + second * 1000 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(frames).toHaveLength(count);
    desk.ask.answers["lifecycle.episodes"] = episodesAnswer(
      EPISODES.map((one, index) => (index === 1 ? { ...one, last_activity: ago(1), branch: "moved" } : one)),
    );
    desk.refresh(ROOT);
    await desk.settle();
    await vi.waitFor(() => expect(lastFrame()).toContain("moved"));
    expect(frames).toHaveLength(count + 1);
    unmount();
  });

  it("shows how far the work that was started has come", async () => {
    const desk = await openDesk();
    const { lastFrame, unmount } = render(consoleTree(desk));
    desk.store.setState({
      busy: { what: "recovering", writes: true, done: 2, total: 5, abort: new AbortController() },
    });
    await vi.waitFor(() => expect(lastFrame()).toMatch(/recovering 2 of 5 █████░{7} {2}X cancel/));
    unmount();
  });
});
