/** Tools about a file: they read it, and nothing leaves the machine but the addresses and ids that the platform is asked for. */
import * as v from 'valibot';
import { findKinds } from '../../engine/decide/find.ts';
import { proposableKinds, proposedChoices } from '../../engine/decide/proposed.ts';
import { knownSystems } from '../../engine/decide/system.ts';
import type { Choices, Findings } from '../../engine/language/findings.ts';
import { findUsers } from '../../engine/match/find-users.ts';
import { oldCourses } from '../../engine/match/old-courses.ts';
import { oldUsers } from '../../engine/match/old-users.ts';
import { catalogOf, platformOf } from '../../engine/match/platform.ts';
import type { Source } from '../../engine/read/open-source.ts';
import { each } from '../../engine/read/pieces.ts';
import { saidInWords } from '../advice.ts';
import { courseLine } from '../commands/courses.ts';
import { userLine } from '../commands/people.ts';
import { openSourceFile } from '../files/records.ts';
import { explanationOf, findingsJson } from '../findings.ts';
import { UsageError } from '../errors.ts';
import { MOST_ROWS, part } from './answer.ts';
import { fileIn, from, text, tool, type Workplace } from './tool.ts';

export const ofFile = {
  file: text('path of the export, in the folder of the server'),
  sheet: v.exactOptional(text('the one sheet of a workbook to read')),
};

const { dates, state } = proposedChoices.entries;
const FORMATS = 'by column: a format like DD/MM/YYYY, or leave_out for a day that says nothing of completion';
const choices = v.strictObject({
  learner: v.optional(text('column that names the learner')),
  course: v.optional(text('column that names the course')),
  dates: v.optional(v.pipe(dates.wrapped, v.description(FORMATS))),
  state: v.optional(v.pipe(state.wrapped, v.description('by column: whether its texts decide what a row becomes'))),
  timeZone: v.optional(text('IANA zone of times without one')),
});

/** What a person could choose about the whole file; here it is a suggestion, like all else. */
export const chosen = v.optional(choices, {});

const REPLACED = 'domains of addresses that others replaced: { "old.example": "new.example" }';
const domains = v.pipe(v.record(v.string(), v.string()), v.description(REPLACED));
const column = (of: string) => v.optional(text(`column with ${of}, if none is recognised`));

export const opened = (workplace: Workplace, { file, sheet }: { file: string; sheet?: string }): Promise<Source> =>
  openSourceFile(fileIn(workplace, file), sheet === undefined ? {} : { sheet });

/** The file as `init-mapping` finds it. Without a session, people and courses are not looked up. */
export async function findingsOf(source: Source, choices: Choices, workplace: Workplace): Promise<Findings> {
  refuseUnknown(source, choices);
  const platform = workplace.isLoggedIn ? await platformOf(await workplace.connected()) : undefined;
  return findKinds([source], { choices, platform, systems: knownSystems(workplace.systems) });
}

/** A choice of a column that is not there would be one without effect. Of JSON, the columns are not known before it is read. */
function refuseUnknown({ columns }: Source, { learner, course, dates = {}, state = {} }: Choices): void {
  const named = [learner ?? [], course ?? [], Object.keys(dates), Object.keys(state)].flat();
  const unknown = named.filter((name) => !name.startsWith(':') && !columns.includes(name));
  if (unknown.length > 0 && columns.length > 0)
    throw new UsageError(`No such column: ${unknown.join(', ')}. The columns are ${columns.join(', ')}.`);
}

const lookAtFile = tool({
  name: 'look_at_file',
  description: `What a file says: columns with the rule that decided about each, sheets, dates, open questions, and up to ${MOST_ROWS} rows. It confirms nothing and imports nothing.`,
  schema: v.strictObject({ ...ofFile, choices: chosen, from }),
  isReadOnly: true,
  run: async ({ choices, from: first, ...asked }, workplace) => {
    const source = await opened(workplace, asked);
    const findings = await findingsOf(source, choices, workplace);
    const { kinds, ...facts } = findingsJson(findings, asked.file);
    const { columns } = explanationOf(findings);
    return { ...facts, kinds: kinds.length, columns, header: source.columns, ...(await rowsFrom(source, first)) };
  },
});

async function rowsFrom(source: Source, first: number) {
  const cells: unknown[] = [];
  let position = 0;
  for await (const row of each(source.rows())) {
    if (position >= first) cells.push({ line: row.line, cells: row.cells ?? row.value });
    position += 1;
    if (cells.length === MOST_ROWS) break;
  }
  return { cells_of_rows: cells, next: cells.length < MOST_ROWS ? null : position };
}

const listKinds = tool({
  name: 'list_kinds',
  description: `Kinds of rows (distinct combinations of what the columns of state say) that no person has confirmed, ${MOST_ROWS} a call, each with its name, our suggestion, and all outcomes that it may have. It confirms nothing.`,
  schema: v.strictObject({ ...ofFile, choices: chosen, from }),
  isReadOnly: true,
  run: async ({ choices, from: first, ...asked }, workplace) => {
    const findings = await findingsOf(await opened(workplace, asked), choices, workplace);
    const { items, ...others } = part(proposableKinds(findings), first);
    const kinds = items.map(({ reason, ...kind }) => ({ ...kind, reason: reason && saidInWords(reason) }));
    return { ...others, kinds };
  },
});

const matchPeople = tool({
  name: 'match_people',
  description: `Looks for the people of a file among the users of the platform: ${MOST_ROWS} a call that are not certain, with those who may be meant. It registers nobody: a person does, with the command "people".`,
  schema: v.strictObject({
    ...ofFile,
    emailColumn: column('addresses'),
    idColumn: column('ids'),
    nameColumn: column('names of people'),
    moved: v.optional(domains, {}),
    from,
  }),
  isReadOnly: true,
  run: async ({ moved, from: first, ...asked }, workplace) => {
    const client = await workplace.connected();
    const old = await oldUsers(await opened(workplace, asked), asked);
    const found = await findUsers(client, old, { moved: new Map(Object.entries(moved)) });
    const { items, ...others } = part(found.filter(({ user }) => user === undefined).map(userLine), first);
    return { people: found.length, ...others, not_certain: items };
  },
});

const matchCourses = tool({
  name: 'match_courses',
  description: `Looks for the courses of a file in the catalog: ${MOST_ROWS} a call that are not certain, with those that may be meant. It registers none: a person does, with the command "courses".`,
  schema: v.strictObject({ ...ofFile, idColumn: column('ids'), titleColumn: column('titles'), from }),
  isReadOnly: true,
  run: async ({ from: first, ...asked }, workplace) => {
    const catalog = await catalogOf(await workplace.connected());
    const courses = await oldCourses(await opened(workplace, asked), asked);
    const found = courses.map((course) => courseLine({ ...course, ...catalog.match(course) }));
    const open = found.filter(({ target }) => target === undefined);
    const { items, ...others } = part(open, first);
    return { courses: found.length, ...others, not_certain: items };
  },
});

export const FILE_TOOLS = [lookAtFile, listKinds, matchPeople, matchCourses];
