import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { lastReceived, readJournalTail } from "../journal/event-journal.ts";
import type { Finding } from "../labels/terms.ts";
import type { ProvidersAnswer, ProviderView } from "./answers.ts";
import { PROVIDERS } from "./providers-table.ts";

const WIRED_BY = /^provider-hook:([^:]+)(?::.*)?$/;

/** Which lifecycle events each provider's adapter declares, what is wired, and what was really received. */
export function readProviders(checkout: Checkout): ProvidersAnswer {
  const readings = new Readings(checkout.root, "FAIL");
  const received = lastReceived(readings.attempt("journal", () => readJournalTail(checkout)) ?? []);
  const findings: Finding[] = readings.findings;
  const wired = new Map<string, string[]>();
  for (const entry of checkout.settings.policy.enforcement) {
    const id = WIRED_BY.exec(entry.wired_by)?.[1];
    if (id === undefined) continue;
    const provider = PROVIDERS.find((facts) => facts.id === id || facts.aliases.includes(id));
    if (provider === undefined) {
      findings.push({
        level: "WARN",
        category: "providers",
        subject: entry.name,
        message: `wired to an unknown provider, ${id}`,
      });
    } else {
      wired.set(provider.id, [...(wired.get(provider.id) ?? []), entry.name]);
    }
  }
  const providers = PROVIDERS.map((facts): ProviderView => {
    const events = received.get(facts.id);
    const names = wired.get(facts.id);
    return {
      id: facts.id,
      title: facts.title,
      ...(facts.lifecycle.length === 0 ? {} : { lifecycle: [...facts.lifecycle] }),
      prompt_capture: facts.promptCapture,
      ...(facts.clientConfig === undefined ? {} : { client_config: facts.clientConfig }),
      ...(names === undefined ? {} : { wired: names }),
      ...(events === undefined ? {} : { last_received: Object.fromEntries(events) }),
      note: facts.adapted
        ? "its hooks can be installed, and it is briefed at a start"
        : "its events are receipted and its episodes kept; nothing is printed",
    };
  });
  return {
    providers,
    with_lifecycle: PROVIDERS.filter((facts) => facts.lifecycle.length > 0).length,
    ...(findings.length === 0 ? {} : { findings }),
  };
}
