import { runInNewContext } from "node:vm";

/** As much of an element as a page of ours needs. Markup that is made of a text is an error. */
export class PageElement {
  readonly dataset: Record<string, string> = {};
  hidden = false;
  open = false;
  id = "";
  className = "";
  seen = false;
  readonly name: string;
  #children: (PageElement | string)[] = [];
  readonly #listeners: ((event: { target: unknown }) => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  append(...children: (PageElement | string)[]): void {
    this.#children.push(...children);
  }

  replaceChildren(...children: (PageElement | string)[]): void {
    this.#children = children;
  }

  get textContent(): string {
    return this.#children
      .map((child) => (typeof child === "string" ? child : child.textContent))
      .join(this.name === "summary" ? " " : "");
  }

  set textContent(text: string) {
    this.#children = [text];
  }

  set innerHTML(_: string) {
    throw new Error("a text became markup");
  }

  addEventListener(_: string, listener: (event: { target: unknown }) => void): void {
    this.#listeners.push(listener);
  }

  scrollIntoView(): void {
    this.seen = true;
  }

  /** What a person types. */
  type(value: string): void {
    for (const listener of this.#listeners) listener({ target: { value } });
  }

  /** Every element of a name below this one. */
  all(name: string): PageElement[] {
    return this.#children.flatMap((child) =>
      typeof child === "string" ? [] : [...(child.name === name ? [child] : []), ...child.all(name)],
    );
  }
}

export interface Page {
  /** The one element of a name that the page was made with. */
  the: (name: string) => PageElement;
  /** What was fetched. */
  fetched: string[];
}

export interface PageOptions {
  origin: string;
  hash?: string;
  fetch: (address: string) => Promise<Response>;
}

/** Runs a page's script as a browser would that has opened it, over a stand-in for the document. */
export function openPage(html: string, { origin, hash = "", fetch }: PageOptions): Page {
  const [, script = ""] = /<script>(?<script>[\s\S]*)<\/script>/u.exec(html) ?? [];
  const body = new PageElement("body");
  const names = ["h1", "input", "output", "main"];
  for (const name of names)
    if (new RegExp(`<${name}[ >]`, "u").test(html)) body.append(new PageElement(name));
  const the = (name: string): PageElement => {
    const [found] = body.all(name);
    if (found === undefined) throw new Error(`the page has no ${name}`);
    return found;
  };
  const fetched: string[] = [];
  runInNewContext(script, {
    document: {
      createElement: (name: string) => new PageElement(name),
      querySelector: the,
      getElementById: (id: string) => body.all("details").find((details) => details.id === id) ?? null,
    },
    location: { origin, hash },
    fetch: (address: string) => {
      fetched.push(address);
      return fetch(address);
    },
  });
  return { the, fetched };
}
