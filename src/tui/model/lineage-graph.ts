/** What a lineage is drawn from. */
export interface LineageNode {
  id: string;
  parent?: string | undefined;
  published_at: string;
}

/** A record and what is drawn before it: `●`, `│ ●`, `●─╯`. */
export interface DrawnNode<Node extends LineageNode> {
  node: Node;
  graph: string;
}

/** Children before their parents, and among those that could come next the latest by their own stamps. */
export function childrenFirst<Node extends LineageNode>(nodes: readonly Node[]): Node[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const waiting = new Map<string, number>();
  for (const { parent } of known.values()) {
    if (parent !== undefined && known.has(parent)) waiting.set(parent, (waiting.get(parent) ?? 0) + 1);
  }
  const ready = [...known.values()].filter(({ id }) => !waiting.has(id));
  const ordered: Node[] = [];
  while (ready.length > 0) {
    const at = ready.reduce((best, node, index) => (isLater(node, ready[best]) ? index : best), 0);
    const [next] = ready.splice(at, 1);
    if (next === undefined) break;
    ordered.push(next);
    const parent = next.parent === undefined ? undefined : known.get(next.parent);
    if (parent === undefined) continue;
    const left = (waiting.get(parent.id) ?? 0) - 1;
    waiting.set(parent.id, left);
    if (left === 0) ready.push(parent);
  }
  // Records that go round in a circle have no first one: they are shown, and as what they are.
  const drawn = new Set(ordered.map(({ id }) => id));
  return [...ordered, ...[...known.values()].filter(({ id }) => !drawn.has(id))];
}

function isLater(one: LineageNode, other: LineageNode | undefined): boolean {
  if (other === undefined) return true;
  if (one.published_at !== other.published_at) return one.published_at > other.published_at;
  return one.id < other.id;
}

function cellOf(
  index: number,
  column: number,
  merged: readonly number[],
  waits: boolean,
  mark: string,
): string {
  const last = merged.at(-1) ?? column;
  const through = index > column && index < last;
  if (index === column) return mark + (last > column ? "─" : " ");
  if (merged.includes(index)) return index === last ? "╯ " : "┴─";
  if (through) return waits ? "┼─" : "──";
  return waits ? "│ " : "  ";
}

/**
 * Draws the records of one line, one a row, the latest first: each way in which it was gone on with has a
 * column of its own, which ends where the ways part.
 *
 * @param mark the symbol of a record, one cell wide
 */
export function drawLineage<Node extends LineageNode>(
  nodes: readonly Node[],
  mark: (node: Node) => string,
): DrawnNode<Node>[] {
  /** By column, the record that it leads down to. */
  const columns: (string | undefined)[] = [];
  const known = new Set(nodes.map(({ id }) => id));
  return childrenFirst(nodes).map((node) => {
    const meeting = columns.flatMap((wanted, index) => (wanted === node.id ? [index] : []));
    const free = columns.indexOf(undefined);
    const column = meeting[0] ?? (free >= 0 ? free : columns.length);
    const merged = meeting.slice(1);
    const count = Math.max(columns.length, column + 1);
    const graph = Array.from({ length: count }, (_, index) =>
      cellOf(index, column, merged, columns[index] !== undefined, mark(node)),
    ).join("");
    for (const index of merged) columns[index] = undefined;
    columns[column] = node.parent !== undefined && known.has(node.parent) ? node.parent : undefined;
    while (columns.length > 0 && columns.at(-1) === undefined) columns.pop();
    return { node, graph: graph.trimEnd() };
  });
}
