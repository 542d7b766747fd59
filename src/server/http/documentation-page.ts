import { createHash } from "node:crypto";
import { DOCUMENTATION_SCRIPT } from "./documentation-script.ts";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --edge: light-dark(#d5d9de, #3a3f46); --soft: light-dark(#f5f6f8, #1d2024); --dim: light-dark(#59636e, #9aa4af);
  --read: light-dark(#0b5fb3, #7ab7f5); --write: light-dark(#9a4a00, #f0b072); }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem 4rem; }
h1 { margin: 0; font-size: 1.7rem; }
h2 { margin: 2rem 0 .4rem; font-size: 1.1rem; }
h3 { margin: .8rem 0 .2rem; font-size: .85rem; color: var(--dim); font-weight: 600; }
header p { margin: .3rem 0 1rem; color: var(--dim); }
.filter { position: sticky; top: 0; display: flex; gap: 1rem; align-items: center; padding: .6rem 0; background: Canvas; }
input { flex: 1; min-width: 0; font: inherit; padding: .45rem .7rem; border: 1px solid var(--edge); border-radius: 6px;
  background: Canvas; color: inherit; }
output { color: var(--dim); white-space: nowrap; }
details { border: 1px solid var(--edge); border-bottom-width: 0; padding: 0 .8rem; }
h2 + details { border-radius: 6px 6px 0 0; }
details:last-child { border-bottom-width: 1px; border-radius: 0 0 6px 6px; }
h2 + details:last-child { border-radius: 6px; }
details { scroll-margin-top: 4rem; }
details[open] { background: var(--soft); padding-bottom: .8rem; }
summary { cursor: pointer; display: grid; grid-template-columns: 3.2rem minmax(0, 19rem) 1fr; gap: 0 .8rem;
  align-items: baseline; padding: .4rem 0; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary b { font: 600 12px/1.4 ui-monospace, monospace; }
.read { color: var(--read); }
.write { color: var(--write); }
summary code { overflow-wrap: anywhere; }
summary span { color: var(--dim); }
details p { margin: .3rem 0; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow: auto; max-height: 26rem; margin: 0; padding: .6rem; border: 1px solid var(--edge); border-radius: 4px;
  background: Canvas; }
table { border-collapse: collapse; width: 100%; }
td { padding: .25rem .8rem .25rem 0; border-top: 1px solid var(--edge); vertical-align: top; }
tr:first-child td { border-top: 0; }
td:nth-child(2), td:nth-child(3) { color: var(--dim); }
td:nth-child(3) { width: 60%; overflow-wrap: anywhere; }
@media (max-width: 44rem) { summary { grid-template-columns: 3.2rem 1fr; } summary span { grid-column: 2; } }
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(DOCUMENTATION_SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Majordomus: routes</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Majordomus</h1>
<p>Every route of this checkout's server, as <a href="/openapi.json">/openapi.json</a> describes it.</p>
</header>
<div class="filter"><input type="search" placeholder="Filter" aria-label="Filter routes" autofocus><output></output></div>
<main>Reading the description…</main>
<script>${DOCUMENTATION_SCRIPT}</script>
</body>
</html>
`;

/** The page that shows the routes: static, it reads their description and nothing else. */
export function documentationPage(): Response {
  return new Response(PAGE, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY },
  });
}
