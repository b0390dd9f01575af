import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Option } from '@commander-js/extra-typings';
import { fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import type { MigrationClient } from '../../client/index.ts';
import { EXIT } from '../errors.ts';
import { UsageError } from '../../engine/errors.ts';
import type { GuessedMapping } from '../../engine/mapping/guess-mapping.ts';
import { namedColumns } from '../../engine/mapping/named-columns.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import { SYSTEMS } from '../../engine/mapping/presets.ts';
import { isTimeZone } from '../../engine/mapping/time-zone.ts';
import { checkDraft } from '../../engine/records/check-draft.ts';
import { draftMapping, type DraftOptions } from '../../engine/records/draft-mapping.ts';
import type { RecordSource } from '../../engine/records/record-source.ts';
import { type DraftFacts, settledDraft } from '../../engine/records/settle-draft.ts';
import { courseTitles, withCourses } from '../../engine/match/draft-courses.ts';
import { openRecordFile, openSourceFile, openWith } from '../files/records.ts';
import type { Source, SourceOptions } from '../../engine/source/open-source.ts';
import { connect } from '../session/session.ts';
import { askText, askToConfirm, type Output, ownCommand, table, printResult } from '../terminal.ts';
import { RecordSet } from '../../engine/records/record-set.ts';
import { mappingBeside } from '../files/mapping-file.ts';
import { OUT_ADVICE } from '../files/paths.ts';
import { writeWhole } from '../files/whole-file.ts';

const declared = () =>
  fileCommand('init-mapping', 'guess the meaning of the columns of a CSV file and write a mapping file', [
    'init-mapping history.csv --time-zone Europe/Madrid',
    'init-mapping report.csv --system udemy --match-courses',
  ])
    .argument('<file>')
    .option('--out <file>', 'mapping file to write (default: FILE.mapping.json beside the file)')
    .option('--force', 'overwrite an existing mapping file')
    .addOption(new Option('--system <name>', 'the system that the file comes from').choices(SYSTEMS))
    .option('--time-zone <name>', 'zone of times without one, like Europe/Madrid')
    .option('--accept-guesses', 'take every guess as confirmed')
    .option('--match-courses', 'look for the courses of the file in the catalog of the platform');

export type InitMappingOptions = OptionsOf<typeof declared, SourceOptions & DraftOptions>;

export const command = (run: RunCommand) =>
  declared().action((file, options) =>
    run(options, async (context) => {
      const client = options.matchCourses === true ? (await connect(context)).client : undefined;
      return initMapping(file, options, context.output, client);
    }),
  );

const PREVIEW_RECORDS = 3;
/** The profile of more columns is most of the memory: to save the rest would double the time. */
const MANY_COLUMNS = 1000;

/**
 * `init-mapping FILE`: guesses the meaning of the columns, writes the mapping, and shows some records.
 *
 * @param client to match the courses of the file with the catalog; without it, their ids must be registered
 */
export async function initMapping(
  file: string,
  options: InitMappingOptions,
  output: Output,
  client?: MigrationClient,
): Promise<number> {
  const path = options.out ?? mappingBeside(file);
  if (existsSync(path) && options.force !== true)
    throw new UsageError(`${path} already exists. Use --force to overwrite it.`);
  const source = await openSourceFile(file, options);
  if (source.columns.length > MANY_COLUMNS) setFlagsFromString('--no-optimize-for-size');
  const isCourse = client === undefined ? undefined : await courseTitles(client);
  const draft = await draftMapping(source, options, isCourse);
  const matched = client === undefined ? draft : await withCourses(source, draft, client);
  const drafted = await settledDraft((each) => openWith(file, each, options), matched);
  write(path, drafted.mapping);
  const checked = await checkWritten(file, path, options, drafted.facts);
  const zoned = await withZone(checked.mapping ?? drafted.mapping, checked.localTimes, output);
  const mapping = await confirmed(zoned, options.acceptGuesses === true, output);
  write(path, mapping);
  const doubts = [...drafted.doubts, ...checked.doubts];
  printResult(
    output,
    { mapping_file: path, mapping, doubts, preview: checked.preview },
    report(path, source, { mapping, doubts }, checked.preview),
  );
  return EXIT.allApplied;
}

/** Asks for the zone of local times: the export does not name it. */
async function withZone(mapping: Mapping, localTimes: number, output: Output): Promise<Mapping> {
  if (localTimes === 0 || mapping.time_zone !== undefined || !output.interactive || output.json) return mapping;
  const time_zone = await askText(
    `${localTimes} times have no zone. In which zone are they, like Europe/Madrid?`,
    'UTC',
  );
  if (!isTimeZone(time_zone)) throw new UsageError(`${time_zone} is not an IANA time zone, like Europe/Madrid.`);
  return { ...mapping, time_zone };
}

/** Asks for each guess. What is not confirmed stays in the mapping, and `import --yes` refuses it. */
async function confirmed({ guesses = [], ...mapping }: Mapping, isAccepted: boolean, output: Output): Promise<Mapping> {
  const open: string[] = [];
  for (const guess of isAccepted ? [] : guesses)
    if (!output.interactive || output.json || !(await askToConfirm(`${guess} Is that right?`))) open.push(guess);
  return { ...mapping, ...(open.length === 0 ? {} : { guesses: open }) };
}

function write(path: string, mapping: Mapping): void {
  writeWhole(path, `${JSON.stringify(mapping, undefined, 2)}\n`, OUT_ADVICE);
}

/** Corrects the draft that was written, by the records that it makes of the whole file. */
async function checkWritten(file: string, path: string, options: InitMappingOptions, known?: DraftFacts) {
  const open = () => openRecordFile(file, { ...options, mapping: path });
  let opened = open();
  const checked = await checkDraft(() => opened, known);
  if (checked.mapping !== undefined) {
    write(path, checked.mapping);
    opened = open();
  }
  return { ...checked, preview: await firstRecords(opened) };
}

/** None of a file that cannot be read with the draft. */
async function firstRecords(opened: Promise<RecordSource>): Promise<unknown[]> {
  try {
    const set = new RecordSet([await opened], undefined);
    for await (const { records } of set.chunks()) return records.slice(0, PREVIEW_RECORDS);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return [];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  - ${line}`), ''];

const named = (path: string, file: string): string[] => (path === mappingBeside(file) ? [] : ['--mapping', path]);

/** An export of one course does not name it. */
const course = ({ record }: Mapping): string[] =>
  record['content.platform_course_id'] === undefined && record['content.external_course_id'] === undefined
    ? ['--set', 'content.platform_course_id=ID']
    : [];

const MOST_UNUSED = 30;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_UNUSED).join(', ');
  return names.length > MOST_UNUSED ? `${shown} and ${names.length - MOST_UNUSED} more` : shown;
}

function report(
  path: string,
  { path: file, columns }: Source,
  { mapping, doubts }: GuessedMapping,
  preview: readonly unknown[],
): string[] {
  const rows = Object.entries(mapping.record).map(([field, from]) => [
    field,
    typeof from === 'string' ? from : JSON.stringify(from),
  ]);
  const used = new Set(namedColumns(mapping));
  const unused = columns.filter((name, index) => name !== '' && !used.has(name) && !used.has(`#${index + 1}`));
  return [
    ...table(['member of the record', 'comes from'], rows),
    ...(unused.length === 0 ? [] : ['', `Not used: ${listed(unused)}`]),
    '',
    'The first rows become:',
    ...preview.map((record) => `  ${JSON.stringify(record)}`),
    '',
    ...section('Guessed, to be confirmed (import --yes refuses them until then):', mapping.guesses ?? []),
    ...section('Please check:', doubts),
    `Written to ${path}. Check it, then run:`,
    `  ${ownCommand('import', file, '--dry-run', ...named(path, file), ...course(mapping))}`,
  ];
}
