/** Text that a client sent: its length, whether it can identify something, and how messages quote it. */

const QUOTED_CODE_POINTS = 64;
/** A message that lists values names so many, and counts the rest (§10 point 6). */
export const NAMED_VALUES = 10;

/** Lengths are counted in code points, as JSON Schema counts them: an emoji is one character. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** 1 to `max` code points and no lone surrogate, which UTF-8 cannot tell from another. */
export function isIdentifierText(text: string, max: number): boolean {
  return (
    text !== '' && text.length <= 2 * max && text.isWellFormed() && (text.length <= max || codePointLength(text) <= max)
  );
}

/** Has a visible character, and none that a reader sees otherwise than it is signed: no controls but tabs and line breaks, no marks of direction. */
export function isPlainText(text: string): boolean {
  // Here, because a bundle keeps a constant whose pattern has properties of Unicode, also where nothing uses it.
  const isVisible = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
  return isVisible && !/[\p{Bidi_Control}]|(?![\t\n\r])\p{Cc}/u.test(text);
}

/** At most 64 code points of a client's text; lone surrogates become U+FFFD. */
export function excerpt(text: string): string {
  const points = Array.from(text.slice(0, 2 * (QUOTED_CODE_POINTS + 1)));
  const kept = points.length > QUOTED_CODE_POINTS ? `${points.slice(0, QUOTED_CODE_POINTS).join('')}…` : text;
  return kept.toWellFormed();
}

/** In double quotes, cut after 64 characters. */
export function quoted(text: string): string {
  return `"${excerpt(text)}"`;
}

/**
 * A rule, and what was sent instead: a text or number as it is, of anything else its type. Of nothing, that it is required.
 *
 * @example
 * broken('must be true or false', 'yes'); // => 'must be true or false, not "yes"'
 */
export function broken(rule: string, sent: unknown): string {
  if (sent === undefined) return 'is required';
  if (rule.includes(', not ')) return rule;
  if (typeof sent === 'string') return `${rule}, not ${quoted(sent)}`;
  if (typeof sent === 'number' || typeof sent === 'boolean' || sent === null) return `${rule}, not ${String(sent)}`;
  return `${rule}, not an ${Array.isArray(sent) ? 'array' : 'object'}`;
}

/** Names the first 10 values and counts the rest: `1001, 1002 and 3 more`. `count`: how many there are, if not all are given. */
export function listed(values: readonly (string | number)[], count = values.length): string {
  const named = values.slice(0, NAMED_VALUES).join(', ');
  return count > NAMED_VALUES ? `${named} and ${count - NAMED_VALUES} more` : named;
}
