import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
input { font: inherit; width: 100%; padding: .4rem .6rem; box-sizing: border-box; }
summary { cursor: pointer; padding: .25rem 0; }
summary b { display: inline-block; width: 3.5rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow: auto; padding: .6rem; border: 1px solid #8884; border-radius: 4px; }
h2 { margin: 1.5rem 0 .25rem; }
`;

// Text reaches the page as text alone: nothing that the description says becomes markup.
const SCRIPT = `
const element = (name, text, ...children) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
};
const pretty = (value) => element("pre", JSON.stringify(value, null, 2));
const schemaOf = (part) => part && part.content && part.content["application/json"].schema;
const operation = (path, method, facts) => {
  const head = element("summary");
  head.append(element("b", method.toUpperCase()), element("code", path), " " + facts.summary);
  const details = element("details", undefined, head);
  if (facts.description) details.append(element("p", facts.description));
  const parameters = facts.parameters || [];
  if (parameters.length > 0) details.append(element("p", "Parameters"), pretty(parameters));
  if (facts.requestBody) details.append(element("p", "Body"), pretty(schemaOf(facts.requestBody)));
  details.append(element("p", "Answer"), pretty(schemaOf(facts.responses["200"])));
  details.dataset.text = (path + " " + facts.summary).toLowerCase();
  return details;
};
const show = (description) => {
  const place = document.querySelector("main");
  const groups = new Map();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, facts] of Object.entries(methods)) {
      const tag = facts.tags[0];
      if (!groups.has(tag)) groups.set(tag, element("section", undefined, element("h2", tag)));
      groups.get(tag).append(operation(path, method, facts));
    }
  }
  place.replaceChildren(...groups.values());
  document.querySelector("h1").textContent = description.info.title + " " + description.info.version;
};
document.querySelector("input").addEventListener("input", ({ target }) => {
  for (const details of document.querySelectorAll("details")) {
    details.hidden = !details.dataset.text.includes(target.value.toLowerCase());
  }
});
fetch("/openapi.json")
  .then((response) => response.json())
  .then(show)
  .catch((error) => {
    document.querySelector("main").textContent = "The description cannot be read: " + error.message;
  });
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
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
<h1>Majordomus</h1>
<p>Every route of this checkout's server, as <a href="/openapi.json">/openapi.json</a> describes it.</p>
<input type="search" placeholder="Filter" aria-label="Filter routes" autofocus>
<main>Reading the description…</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

/** The page that shows the routes: static, it reads their description and nothing else. */
export function documentationPage(): Response {
  return new Response(PAGE, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY },
  });
}
