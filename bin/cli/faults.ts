/** How the command ends (§ exit codes of docs/cli.md). */
export const EXIT = { allApplied: 0, someRejected: 1, usage: 2, service: 3, interrupted: 130 } as const;

/** Something the caller of the command has to change: an option, a file, a mapping. */
export class UsageFault extends Error {
  override readonly name: string = 'UsageFault';
}

/** A place in a file that cannot be read as what it should be; nothing has been sent. Lines and columns count from 1. */
export class SourceFault extends UsageFault {
  override readonly name = 'SourceFault';

  constructor(file: string, place: { line: number; column?: number | string }, problem: string) {
    const column = place.column === undefined ? '' : `, column ${place.column}`;
    super(`${file}, line ${place.line}${column}: ${problem}`);
  }
}
