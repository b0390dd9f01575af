import { type Encoding, decodedText } from './encoding.ts';
import { parseJsonText } from './json-text.ts';
import type { Row } from './row.ts';

/** One JSON value a line; empty lines are passed over. @throws SourceFault for a line that is no JSON */
export async function* ndjsonRows(file: { path: string; encoding: Encoding }): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of textLines(file)) {
    line += 1;
    if (text.trim() !== '') yield { line, value: parseJsonText(file.path, text, { line, column: 1 }) };
  }
}

async function* textLines({ path, encoding }: { path: string; encoding: Encoding }): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of decodedText(path, encoding)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
