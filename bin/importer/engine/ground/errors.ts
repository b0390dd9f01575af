import { type Code, type Codes, type Said, say } from './codes.ts';

/** What the engine refuses to do, as a code: a mistake that the owner of the files has to correct. Its message is for logs: command and page say it in words. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
  readonly said: Said;

  constructor(said: Said) {
    super(`${said.code} ${JSON.stringify(said.params)}`);
    this.said = said;
  }
}

/** Refuses, naming a code and its values. */
export const refusal = <Some extends Code>(code: Some, params: Codes[Some]): EngineError =>
  new EngineError(say(code, params));

/** A place in a file. Lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column?: number | undefined;
}

/** Refuses a file for what is at a place of it. */
export const refusalAt = <Some extends Code>(
  path: string,
  { line, column }: Place,
  code: Some,
  params: Codes[Some],
): EngineError => refusal('file_refused_at', { path, line, column, problem: say(code, params) });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const noRows = (path: string): EngineError => refusal('file_without_rows', { path });
