/**
 * Everything that the engine has to say: why a file is refused, why a row is rejected, what is suggested and why. It names a code and
 * its values, and has no sentence: command and page have the words (`bin/importer/texts`), each in its languages.
 *
 * A new code is a line here; it does not compile before each language has its sentence.
 */

/** The values of each code. A value that is a code itself is said within the sentence. */
export interface Codes {
  // Files
  file_without_rows: { readonly path: string };
}

export type Code = keyof Codes;

/** A code and its values, as data: it can be stored, sent to another thread, and said in any language. */
export type Said<Some extends Code = Code> = {
  readonly [Each in Some]: { readonly code: Each; readonly params: Codes[Each] };
}[Some];

/** Names a code with its own values. */
export function say<Some extends Code>(code: Some, params: Codes[Some]): Said;
export function say(code: Code, params: Codes[Code]): { readonly code: Code; readonly params: Codes[Code] } {
  return { code, params };
}
