/** The names of this machine that only this machine can reach. */
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** `name:port` taken apart; undefined for what is no authority at all. */
function authorityOf(text: string): { name: string; port: string } | undefined {
  const match = /^(?<name>\[[0-9a-f:]+\]|[^\s:/?#@[\]]+)(?::(?<port>\d{1,5}))?$/iu.exec(text);
  if (match?.groups === undefined) return undefined;
  return { name: (match.groups["name"] ?? "").toLowerCase(), port: match.groups["port"] ?? "80" };
}

/** Whether a Host header names this server: a page of another site that was resolved to this machine does not. */
export function namesLoopback(host: string | undefined, port: number): boolean {
  const authority = authorityOf(host ?? "");
  return authority !== undefined && LOOPBACK.has(authority.name) && Number(authority.port) === port;
}

/** Whether an Origin header is this server's own; programs that are no browser send none. */
export function isOwnOrigin(origin: string | undefined, port: number): boolean {
  if (origin === undefined) return true;
  return origin.startsWith("http://") && namesLoopback(origin.slice("http://".length), port);
}
