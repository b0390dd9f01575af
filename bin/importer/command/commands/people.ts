import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { MigrationClient } from '../../client/index.ts';
import { findUsers } from '../../engine/match/find-users.ts';
import type { MatchHeaders, MatchLine } from '../../engine/match/match-table.ts';
import { type CountedUser, oldUsers, platformUsers, type UserColumns } from '../../engine/match/old-users.ts';
import type { PlatformUser, UserMatch } from '../../engine/match/users.ts';
import { isAddressText } from '../../engine/profile/table-profile.ts';
import type { LearnerCourse, LearnerTranscript } from '../../wire/types.ts';
import type { CommandContext, OptionsOf, RunCommand } from '../command.ts';
import { EXIT, UsageError } from '../errors.ts';
import { openSourceFile } from '../files/records.ts';
import { idCommand, type IdOptions, registerTable, showMatches, tableFor } from '../ids.ts';
import { connect, explained, PATIENCE_MS } from '../session/session.ts';
import { type Output, printResult, shortDate, table } from '../terminal.ts';

const declared = () =>
  idCommand(
    'people',
    'show what a learner has, find the people of an export among the users, or register a table of their ids',
    [
      'people ana.lopez@acme.test',
      'people history.csv --users platform-users.csv',
      'people history.csv --moved old.example=new.example',
      'people history.users.csv --register',
    ],
  )
    .argument('<file-or-address>')
    .option('--email-column <name>', 'column with the e-mail addresses')
    .option('--name-column <name>', 'column with the full names')
    .option('--users <table>', 'table of the users of the platform, with their addresses and names')
    .option('--moved <old=new>', 'a domain of addresses that another has replaced; may be repeated', movedDomain);

type PeopleOptions = OptionsOf<typeof declared, IdOptions & UserColumns>;

export const command = (run: RunCommand) =>
  declared().action((name, options) =>
    run(options, async (context) => {
      if (isAddressText(name)) return showLearner((await connect(context)).client, name, context.output);
      return options.register === true ? registerPeople(name, options, context) : matchPeople(name, options, context);
    }),
  );

function movedDomain(text: string, earlier: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [, old = '', now = ''] =
    /^@?([^@=\s](?=[^.=]*\.[^=])[^@=\s]+)=@?([^@=\s](?=[^.]*\..)[^@=\s]+)$/.exec(text.toLowerCase()) ?? [];
  if (old === '') throw new InvalidArgumentError('Write old.example=new.example.');
  return new Map([...earlier, [old, now]]);
}

/** `people EMAIL`: the transcript of a learner (§4.8). A course is a row, with a row below it for each source of its progress. */
export async function showLearner(client: MigrationClient, email: string, output: Output): Promise<number> {
  const learner = await learnerOf(client, email);
  const courses: LearnerCourse[] = [];
  for await (const course of client.learnerCourses({ email })) courses.push(course);
  printResult(output, { ...learner, courses }, [
    learner.user_id === null
      ? `There is no user ${email} in this company.`
      : `${learner.email}, user ${learner.user_id}, license ${learner.license}`,
    ...archiveLines(learner),
    ...(courses.length === 0 ? ['There is no progress in any course.'] : table(HEAD, courses.flatMap(rowsOf))),
  ]);
  return EXIT.allApplied;
}

async function learnerOf(client: MigrationClient, email: string) {
  const found = await explained(client.getLearner({ email }, { limit: 1 }), {
    learner_not_found: `There is no user ${email} in this company.`,
    invalid_request: `${email} is not an e-mail address.`,
  });
  return { user_id: found.user_id, email: found.email, license: found.license, archived: found.archived };
}

const archiveLines = ({ archived }: Pick<LearnerTranscript, 'archived'>): string[] =>
  archived.length === 0 ? [] : [`The archive has records of this person: ${archived.length}.`];

const HEAD = ['course', 'title or record', '%', 'completed (UTC)', 'certified (UTC)', 'import'];

type Dated = Pick<LearnerCourse['effective'], 'completion_pct' | 'completed_at' | 'certified_at'>;

const rowOf = (course: string, name: string, progress: Dated, from = '') => [
  course,
  name,
  progress.completion_pct,
  shortDate(progress.completed_at),
  shortDate(progress.certified_at),
  from,
];

const rowsOf = ({ platform_course_id, title, effective, native, contributions }: LearnerCourse) => [
  rowOf(String(platform_course_id), title ?? '(no longer in the catalog)', effective),
  ...(native === null ? [] : [rowOf('', '  on the platform itself', native)]),
  ...contributions.map((each) => rowOf('', `  ${each.external_record_id}`, each, each.import_id)),
];

/** The headers of the table, by which `--register` finds its columns. */
export const HEADERS: MatchHeaders = {
  id: 'external_user_id',
  name: 'old_name',
  targetId: 'email',
  targetName: 'platform_name',
};

/** `people FILE`: finds the people of an export among the users. Nothing is registered; one who is not certain gets no address. */
async function matchPeople(file: string, options: PeopleOptions, context: CommandContext): Promise<number> {
  const source = await openSourceFile(file, options);
  const path = tableFor(file, 'users', options);
  const users = options.users === undefined ? undefined : await usersOf(options.users);
  const old = await oldUsers(source, options);
  if (old.length === 0) throw new UsageError(`${file} names no people.`);
  const { client } = await connect(context, { patienceMs: PATIENCE_MS, waitsOutThrottles: true });
  const found = await findUsers(client, old, { users, moved: options.moved ?? new Map() });
  const advice = old.some(({ id, email }) => id === email) ? [BY_ADDRESS] : [];
  const lines = found.map(userLine);
  return showMatches(path, { headers: HEADERS, lines, command: 'people', advice, found }, context.output);
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

const registerPeople = (file: string, options: PeopleOptions, context: CommandContext): Promise<number> =>
  registerTable(file, options, context, {
    wanted: [
      { field: 'user.external_user_id', column: options.idColumn },
      { field: 'user.email', column: options.emailColumn },
    ],
    register: (client, rows) =>
      client.registerUserMappings(
        rows.map(({ texts: [external_user_id = '', email = ''] }) => ({ external_user_id, email })),
      ),
  });
