/** Counts and texts of others as a terminal or a page shows them. */

/** `1,234`. */
export const grouped = (count: number): string => Math.round(count).toLocaleString('en-US');

/** `1 row`, `1,234 rows`. */
export const rowsText = (count: number): string => `${grouped(count)} ${count === 1 ? 'row' : 'rows'}`;

/** `      1,234  records`. */
export const countLine = (count: number, what: string): string => `  ${grouped(count).padStart(9)}  ${what}`;

/** They could move the cursor, hide the text after them or change its direction; each with up to 999 repetitions. */
const UNSAFE = /([\p{Cc}\p{Cf}\u{2028}\u{2029}])\1{0,999}/gu;

/** Control and direction characters as escapes: `\u001b`. Every shown text of a file or a service goes through it. */
export function shown(text: string): string {
  return text.replaceAll(UNSAFE, (run: string, character: string) =>
    escaped(character).repeat(run.length / character.length),
  );
}

/** Several lines of the command itself; the texts in them are escaped. */
export const shownLines = (text: string): string => text.split('\n').map(shown).join('\n');

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** The text of bytes; `undefined` if they are not UTF-8. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; `undefined` for another. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const jsonFile = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
