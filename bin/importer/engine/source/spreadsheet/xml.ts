/** Streaming XML of a workbook. Nothing outside the text is ever read, and only the five entities of XML are known. */
import { SaxesParser } from 'saxes';
import { UsageError } from '../../errors.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Names are without their prefix. */
interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** A workbook has tags within tags to a depth of ten. */
const MAX_DEPTH = 64;
/** Between two tags, and of a tag. */
const MAX_PIECE = 4 * 1024 * 1024;

/** Feeds a parser piece by piece. @throws UsageError for a text that is not XML, has a document type, or is too deep */
export class XmlReader {
  readonly #parser = new SaxesParser({ position: false });
  readonly #path: string;
  #depth = 0;
  /** Characters since the last tag. */
  #since = 0;

  constructor(path: string, handler: XmlHandler) {
    this.#path = path;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw new UsageError(`${path} cannot be read: a part of it declares a document type, which no workbook does.`);
    });
    parser.on('error', ({ message }) => {
      throw new UsageError(`${path} is damaged: a part of it is not XML (${message}). Save it again.`);
    });
    parser.on('opentag', (tag) => {
      this.#since = 0;
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH)
        throw new UsageError(
          `${path} cannot be read: a part of it has tags within tags, more than ${MAX_DEPTH} deep. Save the sheet as CSV.`,
        );
      handler.open(local(tag.name), tag.attributes as Attributes);
    });
    parser.on('closetag', ({ name }) => {
      this.#since = 0;
      this.#depth -= 1;
      handler.close?.(local(name));
    });
    if (handler.text !== undefined) {
      parser.on('text', (text) => handler.text?.(text));
      parser.on('cdata', (text) => handler.text?.(text));
    }
  }

  write(piece: string): void {
    this.#since += piece.length;
    this.#parser.write(piece);
    if (this.#since > MAX_PIECE)
      throw new UsageError(
        `${this.#path} cannot be read: a text or a tag of it is longer than 4 MiB. Save the sheet as CSV.`,
      );
  }

  end(): void {
    this.#parser.close();
  }

  async read(pieces: AsyncIterable<string>): Promise<void> {
    let isEmpty = true;
    for await (const piece of pieces) {
      this.write(piece);
      isEmpty = false;
    }
    if (isEmpty) throw new UsageError(`${this.#path} is damaged: a part of it is missing. Save it again.`);
    this.end();
  }
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute whatever its prefix: `id` of `r:id`. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([full]) => full.endsWith(`:${name}`))?.[1];
}

/** Workbooks write characters that XML cannot contain as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
