/** Lengths are counted in code points, as JSON Schema counts them: an emoji is one character. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * Whether a text has 1 to `max` code points and no lone surrogate. Two different lone surrogates are the same bytes once
 * encoded as UTF-8, so a text that holds one cannot identify anything.
 */
export function isIdentifierText(text: string, max: number): boolean {
  return text !== '' && text.length <= 2 * max && text.isWellFormed() && codePointLength(text) <= max;
}
