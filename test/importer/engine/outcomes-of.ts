/** All exports of the tests with what their platform knows, and what is found of each as lines of text. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EngineError } from '../../../bin/importer/engine/ground/errors.ts';
import { inWords, saidInWords } from '../../../bin/importer/command/advice.ts';
import { confirmSuggestions, mappingOf, openQuestions } from '../../../bin/importer/engine/decide/confirm.ts';
import type { Said } from '../../../bin/importer/engine/ground/codes.ts';
import { findKinds } from '../../../bin/importer/engine/decide/find.ts';
import type { Choices, Findings, FoundColumn, Kind, Platform } from '../../../bin/importer/engine/language/findings.ts';
import { platformOf } from '../../../bin/importer/engine/match/platform.ts';
import { openSource, type SourceOptions } from '../../../bin/importer/engine/read/open-source.ts';
import { CASES } from '../../page/support/cases.ts';
import { COMPANY_FILE, FIVE } from '../../page/support/five-files.ts';
import { documented, expectedOf, exported, registeredPlatform } from '../command/support/exports.ts';
import { createPlatform } from '../command/support/platform.ts';
import { type Told, tablesIn } from '../command/support/tables.ts';

interface Table {
  readonly name: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly options?: SourceOptions;
  readonly choices?: Choices | undefined;
  readonly platform?: () => Promise<Platform>;
}

/** The platform of many tables: each is read from it, none changes it. */
function once(create: () => Promise<Platform>): () => Promise<Platform> {
  let created: Promise<Platform> | undefined;
  return () => (created ??= create());
}

const sample = once(async () => platformOf((await createPlatform()).client));
const registered = once(async () => platformOf((await registeredPlatform()).client));
const company = once(async () => platformOf((await createPlatform(readFileSync(COMPANY_FILE))).client));
const knowing = (courses: readonly string[]): Platform => ({
  courseOf: (text) => (courses.includes(text) ? courses.indexOf(text) + 1 : undefined),
  knownLearners: async (texts) => new Set(texts.filter((text) => text.includes('@'))),
});

const told = (label: string, path: string, platform?: () => Promise<Platform>): Table[] =>
  tablesIn<Told & { choices?: Choices; courses?: readonly string[] }>(join(import.meta.dirname, '..', path)).map(
    ({ name, file, bytes, expected: { choices, courses } }) => {
      const known = courses === undefined ? platform : async () => knowing(courses);
      return { name: `${label}: ${name}`, file, bytes, choices, ...(known && { platform: known }) };
    },
  );

const ofSystems = [...documented, ...exported].map(({ system, name, file }): Table => {
  const { options, choices } = expectedOf(system, name);
  const { timeZone, set: _, ...wanted } = options;
  return {
    name: `export: ${system}/${name}`,
    file: name,
    bytes: readFileSync(file),
    options: wanted,
    choices: { ...(timeZone === undefined ? {} : { timeZone }), ...choices },
    platform: registered,
  };
});

const chosen = tablesIn<Choices & Told>(join(import.meta.dirname, 'decide/choices.txt')).map(
  ({ name, file, bytes, expected }): Table => ({
    name: `chosen: ${name}`,
    file,
    bytes,
    choices: expected,
  }),
);

const named = new Set(ofSystems.map(({ file }) => file));
const ofThePage = [
  ...FIVE.map(({ file }) => ({ file: file.name, bytes: Buffer.from(file.text) })),
  ...CASES.filter(({ name, mapping }) => mapping === undefined && !named.has(name)).map(({ name, bytes }) => ({
    file: basename(name),
    bytes,
  })),
].map(({ file, bytes }): Table => ({ name: `of the page: ${file}`, file, bytes, platform: company }));

const NINE = ['red', 'blue', 'green', 'pink', 'grey', 'black', 'white', 'brown', 'cyan'];
/** Tables that are too long to be written down. */
const made = [
  {
    name: 'made: two columns of nine words each',
    rows: NINE.flatMap((a) =>
      NINE.map((b) => `u${NINE.indexOf(a)}${NINE.indexOf(b)}@acme.test,A,${a} state,${b} result`),
    ),
    header: 'Email,Course,Status,Outcome',
  },
  {
    name: 'made: tracks of learners',
    rows: NINE.flatMap((name, index) =>
      ['A', 'B', 'C', 'D'].map(
        (course) =>
          `${name}@acme.test,${course},${index % 2 ? 'Audit' : 'Honor'},${index % 2 ? 'Completed' : 'Failed'}`,
      ),
    ),
    header: 'Email,Course,Track,Status',
  },
].map(({ name, header, rows }): Table => ({ name, file: 'a.csv', bytes: Buffer.from([header, ...rows].join('\n')) }));

export const TABLES: readonly Table[] = [
  ...ofSystems,
  ...ofThePage,
  ...told('question', '../page/questions.txt', company),
  ...told('unseen', 'command/unseen/tables.txt', sample),
  ...told('command', 'command/commands/exports.txt', sample),
  ...told('table', 'engine/decide/tables.txt'),
  ...told('choice', 'engine/decide/choices.txt'),
  ...chosen,
  ...made,
];

const NOW = Date.parse('2026-11-27');

/** What is found of a table. A sentence stands on a line of its own, behind `because`. */
export async function outcomesOf({ file, bytes, options, choices, platform }: Table): Promise<string> {
  try {
    const source = await openSource(new File([new Uint8Array(bytes)], file), { ...options, now: NOW });
    return linesOf(
      await findKinds([source], { choices: choices ?? {}, ...(platform && { platform: await platform() }) }),
    ).join('\n');
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return `refused\n${because(inWords(error))}`;
  }
}

const because = (sentence: string): string => `  because ${sentence.replaceAll('\n', ' ')}`;

function linesOf(findings: Findings): string[] {
  const { kinds: _, ...base } = findings.base;
  const line = (name: string, value: unknown): string[] =>
    isNothing(value) ? [] : [`${name} ${JSON.stringify(value)}`];
  return [
    `${findings.rows} rows, ${findings.encoding}`,
    ...(findings.shape.length === 0 ? [] : ['shaped', because(findings.shape.map(saidInWords).join(' '))]),
    ...findings.sheets.flatMap(({ name, isImported, reason }) => [
      `sheet ${JSON.stringify(name)}${isImported ? '' : ' is left out'}`,
      ...(reason === null ? [] : [because(saidInWords(reason))]),
    ]),
    `learner ${identity(findings.learner)}`,
    `course ${identity(findings.course)}`,
    `rules of columns ${JSON.stringify(Object.fromEntries(Object.entries(findings.why).map(([column, { code }]) => [column, code])))}`,
    ...Object.entries(findings.columns).map(([name, { read, ...how }]) => `state ${read} ${compact(name, how)}`),
    ...findings.dates.map(({ column, samples: __, isPlanned: ___, ...how }) => `dates ${compact(column, how)}`),
    ...findings.kinds.flatMap(kindLines),
    ...findings.others.map(({ column, distinct, state }) => `other ${compact(column, { distinct, state })}`),
    ...line('unclear', findings.unclear),
    ...line('free text', findings.freeText),
    ...line('parts', findings.parts),
    ...line('fractions', findings.fractions),
    ...line('shared', findings.shared),
    ...line('local times', findings.localTimes),
    ...line('choices', findings.choices),
    ...line('is shape open', findings.isShapeOpen),
    ...line('asks about', asked(findings)),
    ...line('kinds have dates', findings.base.kinds?.dates),
    ...Object.entries(base).map(([name, value]) => `base ${name} ${JSON.stringify(value)}`),
  ];
}

/** Members that are usual are left out. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === 0 ||
  value === false ||
  /^(?:\[\]|\{\})$/.test(JSON.stringify(value));

function compact(name: string, members: object): string {
  const said = Object.entries(members).filter(([, value]) => !isNothing(value));
  return [JSON.stringify(name), ...said.map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' ');
}

function identity({ column, found, of, isUndecided, others, unknown }: FoundColumn): string {
  const rest = others.map((other) => `, or ${JSON.stringify(other.column)} ${other.found}/${other.of}`).join('');
  const open = isUndecided ? ' undecided' : '';
  return `${JSON.stringify(column)} ${found}/${of}${open}${rest}${isNothing(unknown) ? '' : ` unknown ${JSON.stringify(unknown)}`}`;
}

function kindLines({ values, rows, lines, outcome, date, percent, reason, words }: Kind): string[] {
  const is = Object.entries(values).map(([name, text]) => `${name}=${text}`);
  const becomes = [outcome ?? 'asked', date === null ? '' : `on ${date}`, percent === null ? '' : `with ${percent}`];
  const said = becomes.filter((part) => part !== '').join(' ');
  return [
    `kind ${is.join('; ')} x${rows} (${lines.join(' ')}) -> ${said}`,
    `${because(reason === null ? '' : nameOf(reason))}${isNothing(words) ? '' : `, words ${JSON.stringify(words)}`}`,
  ];
}

/** A code with its values. */
const nameOf = ({ code, params }: Said): string => (isNothing(params) ? code : `${code} ${JSON.stringify(params)}`);

/** What remains to be decided when all suggestions are confirmed. */
function asked(findings: Findings): string[] {
  const confirmed = confirmSuggestions(findings);
  const { undecided = [] } = mappingOf(confirmed);
  return [...openQuestions(confirmed).map(({ about }) => about), ...undecided.map((member) => `undecided ${member}`)];
}
