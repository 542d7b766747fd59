import type { ServerAnswer } from "../../core/serving/answers.ts";
import type { PeerView } from "../../core/serving/peer-board.ts";
import { withAge } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { fact, factList } from "./facts.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { pathFrom } from "./names.ts";

function at(head: string | undefined, branch: string | undefined): string {
  return [head ?? "no commit", branch].filter((part) => part !== undefined).join(" on ");
}

/** The shared server: where it stands and answers, and the commit that it answers about. */
export function serverDetail(server: ServerAnswer, { width, now }: DetailContext): readonly Line[] {
  const { standing, note, agree, served_head, served_branch, repository_head, repository_branch } = server;
  const ready = standing === "ready" && agree !== false;
  return [
    [span("shared server", "plain", true), span(`  ${standing}`, ready ? "good" : "warn")],
    ...fact("", note, width, "muted"),
    ...fact("address", server.url, width),
    ...fact("process", server.pid === undefined ? undefined : `pid ${server.pid}`, width),
    ...fact("began", withAge(server.begun_at, now), width),
    ...fact("program", server.executable, width, "muted"),
    ...fact("version", server.version, width, "muted"),
    ...(agree === undefined ? [] : fact("answered", at(served_head, served_branch), width)),
    ...fact("repository", at(repository_head, repository_branch), width, agree === false ? "warn" : "plain"),
    ...(standing === "ready" ? [] : fact("start it", "majordomus serve ensure", width)),
  ];
}

/** A peer: who it is, when it was last heard of, and all that it announced. */
export function peerDetail(peer: PeerView, { width, now, root, home }: DetailContext): readonly Line[] {
  const { id, name, connected, attached_at, claims } = peer;
  return [
    [span(show(id), "plain", true), span(connected ? "  connected" : "  not connected", "muted")],
    ...fact("client", name, width),
    ...fact("attached", withAge(attached_at, now), width),
    ...claims.flatMap(({ text, paths = [], announced_at }) => [
      ...fact("announced", withAge(announced_at, now), width, "muted"),
      ...fact("", text, width),
      ...factList(
        "on",
        paths.map((path) => pathFrom(root, path, home)),
        width,
      ),
    ]),
  ];
}
