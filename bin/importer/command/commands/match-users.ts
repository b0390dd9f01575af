import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type CommandContext, fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import { UsageError } from '../../engine/errors.ts';
import { connect, PATIENCE_MS } from '../session/session.ts';
import { openSourceFile } from '../files/records.ts';
import { showMatches, tableFor } from '../match-table.ts';
import type { SourceOptions } from '../../engine/source/open-source.ts';
import { findUsers } from '../../engine/match/find-users.ts';
import type { MatchHeaders, MatchLine } from '../../engine/match/match-table.ts';
import { type CountedUser, oldUsers, platformUsers, type UserColumns } from '../../engine/match/old-users.ts';
import type { PlatformUser, UserMatch } from '../../engine/match/users.ts';

const declared = () =>
  fileCommand(
    'match-users',
    'find the people of an export among the users of the platform; writes a table for map-users',
    ['match-users history.csv --users platform-users.csv', 'match-users history.csv --moved old.example=new.example'],
  )
    .argument('<file>')
    .option('--id-column <name>', 'column with the user ids of the old system')
    .option('--email-column <name>', 'column with the e-mail addresses of the old system')
    .option('--name-column <name>', 'column with the full names')
    .option('--users <table>', 'table of the users of the platform, with their addresses and names')
    .option('--moved <old=new>', 'a domain of addresses that another has replaced; may be repeated', movedDomain)
    .option('--out <file>', 'table to write (default: FILE.users.csv beside the file)')
    .option('--force', 'overwrite an existing table');

export const command = (run: RunCommand) =>
  declared().action((file, options) => run(options, (context) => matchUsers(file, options, context)));

function movedDomain(text: string, earlier: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [, old = '', now = ''] = /^@?([^@=\s]+\.[^@=\s]+)=@?([^@=\s]+\.[^@=\s]+)$/.exec(text.toLowerCase()) ?? [];
  if (old === '') throw new InvalidArgumentError('Write old.example=new.example.');
  return new Map([...earlier, [old, now]]);
}

/** The headers of the table, which `map-users` reads. */
export const USER_HEADERS: MatchHeaders = {
  id: 'external_user_id',
  name: 'old_name',
  targetId: 'email',
  targetName: 'platform_name',
};

/**
 * `match-users FILE`: finds the people of an export among the users of the platform, and writes a table to look over, which
 * `map-users` registers. Nothing is registered here, and a person who is not certain gets no address.
 */
export async function matchUsers(
  file: string,
  options: OptionsOf<typeof declared, SourceOptions & UserColumns>,
  context: CommandContext,
): Promise<number> {
  const source = await openSourceFile(file, options);
  const path = tableFor(file, 'users', options);
  const users = options.users === undefined ? undefined : await usersOf(options.users);
  const old = await oldUsers(source, options);
  if (old.length === 0) throw new UsageError(`${file} names no people.`);
  const { client } = await connect(context, { patienceMs: PATIENCE_MS, waitsOutThrottles: true });
  const matched = await findUsers(client, old, { users, moved: options.moved ?? new Map() });
  const advice = old.some(({ id, email }) => id === email) ? [BY_ADDRESS] : [];
  return showMatches(
    path,
    {
      headers: USER_HEADERS,
      lines: matched.map(userLine),
      registeredBy: 'map-users',
      advice,
      found: { users: matched },
    },
    context.output,
  );
}

/** The export has no ids but addresses, so the old address is the id that is registered. */
const BY_ADDRESS =
  'The old addresses become the ids of these people: in the mapping, name their column for "user.external_user_id", and leave out "user.email".';

async function usersOf(path: string): Promise<PlatformUser[]> {
  const users = await platformUsers(await openSourceFile(path));
  if (users.length === 0) throw new UsageError(`${path} names no users.`);
  return users;
}

export const userLine = ({ id, name, email, rows, kind, user, candidates }: CountedUser & UserMatch): MatchLine => ({
  id,
  name: name ?? email,
  rows,
  kind,
  target: user && { id: user.email, name: user.name ?? '' },
  candidates: candidates.map((each) => [each.email, each.name ?? ''].join(' ').trim()),
});
