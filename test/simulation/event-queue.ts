/** What is to happen, by virtual time; events of the same moment in the order they were scheduled. */
interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export class EventQueue {
  readonly #heap: Event[] = [];
  #scheduled = 0;

  get size(): number {
    return this.#heap.length;
  }

  add(at: number, run: () => void): void {
    const event = { at, order: (this.#scheduled += 1), run };
    let position = this.#heap.push(event) - 1;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (!this.#before(position, parent)) break;
      this.#swap(position, parent);
      position = parent;
    }
  }

  take(): Event | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined || this.#heap.length === 0) return first;
    this.#heap[0] = last;
    this.#sink(0);
    return first;
  }

  #sink(start: number): void {
    for (let position = start; ;) {
      const [left, right] = [2 * position + 1, 2 * position + 2];
      let next = position;
      if (left < this.#heap.length && this.#before(left, next)) next = left;
      if (right < this.#heap.length && this.#before(right, next)) next = right;
      if (next === position) return;
      this.#swap(position, next);
      position = next;
    }
  }

  #before(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a] as Event, this.#heap[b] as Event];
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b] as Event, this.#heap[a] as Event];
  }
}
