import { MAX_EMAILS_PER_RESOLVE } from '../../../functions/shared/limits.ts';
import { batches } from '../batches.ts';
import { connect } from '../connect.ts';
import { EXIT } from '../faults.ts';
import type { Output } from '../output.ts';
import { openSource, type Source, type SourceOptions } from '../source/open-source.ts';
import { listedRows } from './lists.ts';

export interface CheckUsersOptions extends SourceOptions {
  readonly column?: string;
}

interface Unusable {
  readonly line: number;
  readonly email: string;
  readonly status: string;
}

const PATIENCE_MS = 5 * 60_000;
const SHOWN = 50;

/** `check-users FILE`: does every user exist with an active license (§4.2 operation 2)? Each address is asked about once. */
export async function checkUsers(file: string, options: CheckUsersOptions, output: Output): Promise<number> {
  const source = await openSource(file, options);
  const lines = await firstLines(source, options.column);
  const { client } = await connect(output, { patienceMs: PATIENCE_MS });
  const unusable: Unusable[] = [];
  for await (const entries of batches(listed(lines), MAX_EMAILS_PER_RESOLVE)) {
    const { users } = await client.resolveUsers(entries.map(([email]) => email));
    const found = entries.map(([email, line], position) => ({
      line,
      email,
      status: users[position]?.status ?? 'not_found',
    }));
    unusable.push(...found.filter(({ status }) => status !== 'active'));
  }
  const report = { users: lines.size, active: lines.size - unusable.length, unusable };
  if (output.json) output.jsonResult(report);
  else tell(file, report, output);
  return unusable.length === 0 ? EXIT.allApplied : EXIT.someRejected;
}

/** Every address with the line on which it first stands. */
async function firstLines(source: Source, column: string | undefined): Promise<Map<string, number>> {
  const lines = new Map<string, number>();
  for await (const { line, texts } of listedRows(source, [{ field: 'user.email', column, option: '--column' }])) {
    const email = texts[0] ?? '';
    if (!lines.has(email)) lines.set(email, line);
  }
  return lines;
}

async function* listed<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

function tell(
  file: string,
  { users, active, unusable }: { users: number; active: number; unusable: Unusable[] },
  output: Output,
): void {
  for (const { line, email, status } of unusable.slice(0, SHOWN)) {
    output.result(`${file}, line ${line}: ${email === '' ? '(no address)' : email} is ${status.replace('_', ' ')}`);
  }
  if (unusable.length > SHOWN) output.result(`… and ${unusable.length - SHOWN} more (all of them with --json)`);
  output.result(`${active} of ${users} users exist with an active license.`);
}
