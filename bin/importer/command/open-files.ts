/** The start of a command that reads files and uses the service: a display, a connection that is made when it is needed, the files. */
import type { RecordSet } from '../engine/records/record-set.ts';
import type { CommandContext } from './command.ts';
import { inputFiles } from './files/input-files.ts';
import { openSet, type RecordFileOptions } from './files/records.ts';
import { type Display, displayOn, OutageNotice } from './progress/display.ts';
import { type Connection, connect } from './session/session.ts';

export interface OpenedFiles {
  readonly set: RecordSet;
  readonly display: Display;
  readonly outage: OutageNotice;
  /** Connects at the first call; earlier only if a mapping needs the catalog. */
  readonly connected: () => Promise<Connection>;
}

/** @param options `patience`: minutes to wait for an unreachable service. @throws UsageError and the errors of `connect` */
export async function openFiles(
  names: readonly string[],
  options: RecordFileOptions & { readonly patience: number },
  context: CommandContext,
): Promise<OpenedFiles> {
  const display = displayOn(process.stderr);
  const outage = new OutageNotice((text) => display.note(text), Date.now);
  let connection: Connection | undefined;
  const connected = async (): Promise<Connection> => {
    connection ??= await connect(context, outage.policy(options.patience));
    return connection;
  };
  const paths = await inputFiles(names, context.spool);
  const set = await openSet(paths, options, async () => (await connected()).client);
  return { set, display, outage, connected };
}
