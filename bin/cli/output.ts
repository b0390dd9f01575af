/** What a command says: results on stdout, everything else on stderr, so that results can be piped. */
export interface Output {
  /** Results are one JSON value. */
  readonly json: boolean;
  /** Somebody is there to answer a question. */
  readonly interactive: boolean;
  result(text: string): void;
  jsonResult(value: unknown): void;
  note(text: string): void;
}

export function standardOutput(json: boolean): Output {
  return {
    json,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    result: (text) => void process.stdout.write(`${text}\n`),
    jsonResult: (value) => void process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
  };
}
