/** What the codes of the engine are in words: a file a language, shared by command and page. */
import type { Code, Codes, Said } from '../engine/ground/codes.ts';
import { EngineError, messageOf } from '../engine/ground/errors.ts';

/** Says a code that is a value of another one. */
export type Say = (said: Said) => string;

/** The sentence of each code. Values are written as they are: who shows a sentence escapes it. */
export type Texts = { readonly [Each in Code]: (params: Codes[Each], sayAlso: Say) => string };

/** @param texts of the language that is spoken */
export const sentenceIn = <Some extends Code>(texts: Texts, { code, params }: Said<Some>): string =>
  texts[code](params, (other) => sentenceIn(texts, other));

/** An error in words: that of the engine by its code, any other by its own message. */
export const messageIn = (texts: Texts, error: unknown): string =>
  error instanceof EngineError ? sentenceIn(texts, error.said) : messageOf(error);
