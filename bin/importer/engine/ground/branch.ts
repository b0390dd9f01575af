/** What several texts stand for together, one after the other: every row is looked up, and a joined text costs five times as much. */
export class Branch<Value> {
  readonly #branches = new Map<string, Branch<Value>>();
  value: Value | undefined;

  known(text: string): Branch<Value> | undefined {
    return this.#branches.get(text);
  }

  /** A new one for a text that has none. */
  of(text: string): Branch<Value> {
    const known = this.#branches.get(text);
    if (known !== undefined) return known;
    const branch = new Branch<Value>();
    this.#branches.set(text, branch);
    return branch;
  }
}
