/** Finds the longest array of objects in a JSON file, wherever it is. */

interface Open {
  readonly isObject: boolean;
  /** The names of members from the root to this value. */
  readonly path: string;
  /** The path of the outermost array that it is in. */
  readonly list: string | undefined;
}

/** Reads a JSON text piece by piece, and counts the objects of each array; an array in the items of another counts for all of them. */
export class ListFinder {
  readonly #open: Open[] = [];
  readonly #counts = new Map<string, { objects: number; readonly list: string }>();
  #name = '';
  #text: string | undefined;
  #isEscaped = false;

  read(piece: string): void {
    for (const character of piece) this.#take(character);
  }

  /** The path of the outermost array around the longest one; `undefined` if the file itself is an array, or there is none. */
  get list(): string | undefined {
    const [best] = [...this.#counts.values()].toSorted((a, b) => b.objects - a.objects);
    return best?.list === '' ? undefined : best?.list;
  }

  #take(character: string): void {
    if (this.#text !== undefined) this.#takeText(character);
    else if (character === '"') this.#text = '';
    else if (character === '{' || character === '[') this.#begin(character === '{');
    else if (character === '}' || character === ']') this.#open.pop();
  }

  #takeText(character: string): void {
    if (character === '"' && !this.#isEscaped) {
      this.#name = this.#text ?? '';
      this.#text = undefined;
      return;
    }
    this.#isEscaped = !this.#isEscaped && character === '\\';
    if ((this.#text?.length ?? 0) < 1000) this.#text += character;
  }

  #begin(isObject: boolean): void {
    const outer = this.#open.at(-1) ?? ROOT;
    const path = outer.isObject ? [outer.path, this.#name].filter((name) => name !== '').join('.') : outer.path;
    const list = outer.list ?? (isObject ? undefined : path);
    if (isObject && !outer.isObject && list !== undefined) this.#count(path, list);
    this.#open.push({ isObject, path, list });
  }

  #count(path: string, list: string): void {
    const known = this.#counts.get(path) ?? { objects: 0, list };
    known.objects += 1;
    this.#counts.set(path, known);
  }
}

const ROOT: Open = { isObject: false, path: '', list: undefined };
