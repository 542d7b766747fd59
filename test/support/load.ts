import { Agent, request } from "node:http";

export interface LoadOptions {
  /** `http://127.0.0.1:8741` */
  url: string;
  token: string;
  /** Asked in turn. */
  paths: readonly string[];
  requests: number;
  connections: number;
}

export interface Load {
  /** Of each answer, in the order that they came. */
  milliseconds: number[];
  /** How often each status came; 0 stands for a connection that broke. */
  statuses: Record<number, number>;
}

function ask(agent: Agent, url: string, token: string): Promise<number> {
  return new Promise((resolve) => {
    const asking = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", () => resolve(0));
    });
    asking.once("error", () => resolve(0));
    asking.end();
  });
}

/** Asks so often over so many connections, each going on as soon as it has its answer. */
export async function load({ url, token, paths, requests, connections }: LoadOptions): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const outcome: Load = { milliseconds: [], statuses: {} };
  let next = 0;
  const connection = async (): Promise<void> => {
    while (next < requests) {
      const path = paths[next % paths.length] ?? "/";
      next += 1;
      const begun = performance.now();
      const status = await ask(agent, `${url}${path}`, token);
      outcome.milliseconds.push(performance.now() - begun);
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  return outcome;
}
