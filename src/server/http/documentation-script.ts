/**
 * What the page does, in the language of browsers. Text reaches the page as text alone: nothing that the description
 * says becomes markup. The address is given whole: one that was opened with a password in it cannot be asked again.
 */
export const DOCUMENTATION_SCRIPT = `
const element = (name, facts = {}, ...children) => {
  const made = Object.assign(document.createElement(name), facts);
  made.append(...children);
  return made;
};
const pretty = (value) => element("pre", { textContent: JSON.stringify(value, null, 2) });
const part = (title, ...children) => element("section", { className: "part" }, element("h3", { textContent: title }), ...children);
const schemaOf = (holder) => holder && holder.content && holder.content["application/json"].schema;
const typeOf = ({ type, items, enum: values, const: only, anyOf }) => {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf) return anyOf.map(typeOf).join(" | ");
  return type === "array" && items ? typeOf(items) + "[]" : type || "any";
};
const fieldRow = ({ name, schema, required, description, place }) => element("tr", {},
  element("td", {}, element("code", { textContent: name })),
  element("td", { textContent: typeOf(schema) + (required ? ", required" : "") }),
  element("td", { textContent: [place, description].filter(Boolean).join(": ") }));
const fieldTable = (fields) => element("table", {}, ...fields.map(fieldRow));
const fieldsOf = ({ properties = {}, required = [] }) => Object.entries(properties).map(([name, schema]) =>
  ({ name, schema, required: required.includes(name), description: schema.description }));
const isRead = (method) => method === "get";
const exampleOf = (path, method, facts) => {
  const open = facts.security && facts.security.length === 0;
  return "curl " + (open ? "" : '-H "Authorization: Bearer $TOKEN" ') +
    (isRead(method) ? "" : "-H 'Content-Type: application/json' -d '{}' ") + location.origin + path;
};
const bodyPart = (facts) => {
  const body = schemaOf(facts.requestBody);
  if (!body) return [];
  const fields = fieldsOf(body);
  return [part("Body", fields.length > 0 ? fieldTable(fields) : element("p", { textContent: "An empty object." }))];
};
const operation = (path, method, facts) => {
  const details = element("details", { id: facts.operationId }, element("summary", {},
    element("b", { className: isRead(method) ? "read" : "write", textContent: method.toUpperCase() }),
    element("code", { textContent: path }), element("span", { textContent: facts.summary })));
  if (facts.description) details.append(element("p", { textContent: facts.description }));
  const parameters = (facts.parameters || []).map((parameter) =>
    ({ ...parameter, description: parameter.description || parameter.schema.description, place: parameter.in }));
  if (parameters.length > 0) details.append(part("Parameters", fieldTable(parameters)));
  details.append(...bodyPart(facts));
  details.append(part("Example", element("pre", { textContent: exampleOf(path, method, facts) })));
  details.append(part("Answer", pretty(schemaOf(facts.responses["200"]))));
  details.dataset.text = (method + " " + path + " " + facts.summary).toLowerCase();
  return details;
};
const groups = new Map();
const countShown = () => {
  let shown = 0;
  let all = 0;
  for (const [section, operations] of groups.values()) {
    const visible = operations.filter(({ hidden }) => !hidden).length;
    section.hidden = visible === 0;
    shown += visible;
    all += operations.length;
  }
  document.querySelector("output").textContent = shown === all ? all + " routes" : shown + " of " + all + " routes";
};
const groupOf = (tag) => {
  if (!groups.has(tag)) groups.set(tag, [element("section", {}, element("h2", { textContent: tag })), []]);
  return groups.get(tag);
};
const show = (description) => {
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, facts] of Object.entries(methods)) {
      const [section, operations] = groupOf(facts.tags[0]);
      const made = operation(path, method, facts);
      section.append(made);
      operations.push(made);
    }
  }
  document.querySelector("main").replaceChildren(...[...groups.values()].map(([section]) => section));
  document.querySelector("h1").textContent = description.info.title + " " + description.info.version;
  countShown();
  const named = document.getElementById(location.hash.slice(1));
  if (named) {
    named.open = true;
    named.scrollIntoView();
  }
};
document.querySelector("input").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const [, operations] of groups.values()) {
    for (const made of operations) made.hidden = !words.every((word) => made.dataset.text.includes(word));
  }
  countShown();
});
fetch(location.origin + "/openapi.json")
  .then((response) => {
    if (response.ok) return response.json();
    throw new Error("the server says " + response.status);
  })
  .then(show)
  .catch((error) => {
    document.querySelector("main").textContent = "The description cannot be read: " + error.message;
  });
`;
