import type { CommandContext } from '../../../../bin/importer/command/command.ts';
import { TemporaryFolder } from '../../../../bin/importer/command/files/temporary.ts';
import type { Output } from '../../../../bin/importer/command/terminal.ts';

export interface RecordedOutput extends Output {
  /** Everything on stdout, and everything on stderr. */
  readonly results: string[];
  readonly notes: string[];
  readonly values: unknown[];
}

export function recordedOutput(json = false): RecordedOutput {
  const [results, notes, values]: [string[], string[], unknown[]] = [[], [], []];
  return {
    json,
    interactive: false,
    results,
    notes,
    values,
    result: (text) => void results.push(text),
    jsonResult: (value) => void values.push(value),
    note: (text) => void notes.push(text),
  };
}

/** @param folder of the session, if the command uses one */
export const contextOf = (output: Output, folder = ''): CommandContext => ({
  output,
  folder,
  spool: new TemporaryFolder(),
});
