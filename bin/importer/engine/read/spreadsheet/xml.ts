/** Streaming XML of a workbook. Nothing outside the text is ever read, and only the five entities of XML are known. */
import { SaxesParser } from 'saxes';
import { say } from '../../ground/codes.ts';
import { refusal } from '../../ground/errors.ts';
import { unreadable } from './archive.ts';

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

/** Yields after each piece, and at the end. @throws EngineError for no XML, a document type, too deep, or no part */
export async function* xmlPieces(
  path: string,
  pieces: AsyncIterable<string>,
  handler: XmlHandler,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false });
  let depth = 0;
  /** Characters since the last tag. */
  let since = 0;
  parser.on('doctype', () => {
    throw refusal('workbook_of_document_type', { path });
  });
  parser.on('error', ({ message }) => {
    throw refusal('workbook_not_xml', { path, problem: message });
  });
  parser.on('opentag', (tag) => {
    since = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw unreadable(path, say('part_too_deep', { most: MAX_DEPTH }));
    handler.open(local(tag.name), tag.attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    since = 0;
    depth -= 1;
    handler.close?.(local(name));
  });
  if (handler.text !== undefined) {
    parser.on('text', (text) => handler.text?.(text));
    parser.on('cdata', (text) => handler.text?.(text));
  }
  let isEmpty = true;
  for await (const piece of pieces) {
    isEmpty = false;
    since += piece.length;
    parser.write(piece);
    if (since > MAX_PIECE) throw unreadable(path, say('part_of_long_text', {}));
    yield;
  }
  if (isEmpty) throw refusal('workbook_part_missing', { path });
  parser.close();
  yield;
}

export async function readXml(...given: Parameters<typeof xmlPieces>): Promise<void> {
  for await (const _ of xmlPieces(...given)) continue;
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
