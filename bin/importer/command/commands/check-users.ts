import type { MigrationClient } from '../../client/index.ts';
import { type CommandContext, fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { connect } from '../session/session.ts';
import { displayOn, whileShown } from '../progress/display.ts';
import { Meter } from '../progress/meter.ts';
import { openSourceFile } from '../files/records.ts';
import { resolvedUsers } from '../../engine/match/find-users.ts';
import type { Source, SourceOptions } from '../../engine/source/open-source.ts';
import { listedRows } from '../../engine/records/listed-rows.ts';
import { printResult } from '../terminal.ts';

const declared = () =>
  fileCommand('check-users', 'check that every user of a file exists with an active license', [
    'check-users history.csv --column "E-mail address"',
  ])
    .argument('<file>')
    .option('--column <name>', 'column with the e-mail addresses');

export const command = (run: RunCommand) =>
  declared().action((file, options) => run(options, (context) => checkUsers(file, options, context)));

interface UnusableUser {
  readonly line: number;
  readonly email: string;
  readonly status: string;
}

interface Report {
  readonly users: number;
  readonly active: number;
  readonly unusable: readonly UnusableUser[];
}

const MOST_SHOWN = 50;

/** `check-users FILE`: checks that every user exists with an active license (§4.2 operation 2); each address once. */
async function checkUsers(
  file: string,
  options: OptionsOf<typeof declared, SourceOptions>,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  const source = await openSourceFile(file, options);
  const lines = await firstLines(source, options.column);
  const { client } = await connect(context);
  const meter = new Meter('checking', lines.size, Date.now);
  const unusable = await whileShown(displayOn(process.stderr), meter, () => unusableOf(client, lines, meter));
  const report = { users: lines.size, active: lines.size - unusable.length, unusable };
  printResult(output, report, reportLines(file, report));
  return unusable.length === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function unusableOf(
  client: MigrationClient,
  lines: ReadonlyMap<string, number>,
  meter: Meter,
): Promise<UnusableUser[]> {
  const unusable: UnusableUser[] = [];
  for await (const [[email, line], { status }] of resolvedUsers(client, lines, ([address]) => address)) {
    if (status !== 'active') unusable.push({ line, email, status });
    meter.add(1);
  }
  return unusable;
}

/** Every address with the line of its first occurrence. */
async function firstLines(source: Source, column: string | undefined): Promise<Map<string, number>> {
  const lines = new Map<string, number>();
  for await (const { line, texts } of listedRows(source, [{ field: 'user.email', column, option: '--column' }])) {
    const email = texts[0] ?? '';
    if (!lines.has(email)) lines.set(email, line);
  }
  return lines;
}

function reportLines(file: string, { users, active, unusable }: Report): string[] {
  return [
    ...unusable
      .slice(0, MOST_SHOWN)
      .map(
        ({ line, email, status }) => `${file}, line ${line}: ${email || '(no address)'} is ${status.replace('_', ' ')}`,
      ),
    ...(unusable.length > MOST_SHOWN ? [`… and ${unusable.length - MOST_SHOWN} more (--json lists all of them)`] : []),
    `${active} of ${users} users exist with an active license.`,
  ];
}
