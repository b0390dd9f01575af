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

/** Feeds a parser piece by piece. @throws UsageError for a text that is not XML, or has a document type */
export class XmlReader {
  readonly #parser = new SaxesParser({ position: false });
  readonly #path: string;

  constructor(path: string, handler: XmlHandler) {
    this.#path = path;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw new UsageError(`${path} cannot be read: a part of it declares a document type, which no workbook does.`);
    });
    parser.on('error', ({ message }) => {
      throw new UsageError(`${path} is damaged: a part of it is not XML (${message}). Save it again.`);
    });
    parser.on('opentag', (tag) => handler.open(local(tag.name), tag.attributes as Attributes));
    if (handler.close !== undefined) parser.on('closetag', ({ name }) => handler.close?.(local(name)));
    if (handler.text !== undefined) {
      parser.on('text', (text) => handler.text?.(text));
      parser.on('cdata', (text) => handler.text?.(text));
    }
  }

  write(piece: string): void {
    this.#parser.write(piece);
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
