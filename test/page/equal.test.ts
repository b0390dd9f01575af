/**
 * The page makes of each file of the command's test data what the command makes of it, byte for byte, or refuses it
 * alike. A share of the files costs half a minute, all of them (AT_LENGTH=1) two minutes; needs Chromium.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Download } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { saidInWords } from '../../bin/importer/command/advice.ts';
import { examplesInWords } from '../../bin/importer/command/lines/summary.ts';
import { mappingOf } from '../../bin/importer/engine/decide/confirm.ts';
import type { Findings } from '../../bin/importer/engine/language/findings.ts';
import type { Mapping } from '../../bin/importer/engine/language/schema.ts';
import type { startReview } from '../../bin/importer/page/worker/review.ts';
import type { Failure } from '../../bin/importer/page/worker/protocol.ts';
import type { Report } from '../../bin/importer/page/worker/run.ts';
import { SYSTEMS } from '../../bin/importer/systems/index.ts';
import { type Desk, type Finished, runCli } from '../importer/command/support/run-cli.ts';
import { textRow, workbookOf } from '../importer/command/support/workbook.ts';
import { AT_LENGTH, someOf } from '../kit/at-length.ts';
import { ADMIN, Person, SUGGESTIONS } from './person.ts';
import { type Case, CASES, sampleOf } from './support/cases.ts';
import { usePage } from './support/use-page.ts';

const used = usePage('shared');
let context: BrowserContext;
let person: Person;
const { folder } = used;
const config = join(folder, 'config');

interface Answer {
  readonly name: string;
  readonly result?: unknown;
  readonly failure?: Failure;
}

/** In the page, before its scripts: keeps what its worker answers, without the long lists that it sends ahead. */
function noteAnswers(): void {
  const answers: Answer[] = [];
  const names = new Map<number, string>();
  Object.assign(window, { answers });
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener('message', ({ data }: MessageEvent<{ id?: number }>) => {
        if (data.id !== undefined && !('member' in data)) answers.push({ name: names.get(data.id) ?? '', ...data });
      });
    }

    override postMessage(message: { readonly id: number; readonly name: string }): void {
      names.set(message.id, message.name);
      super.postMessage(message, []);
    }
  };
}

/** The last answer to this call, since the last reset. */
async function answerTo(name: string): Promise<Answer> {
  const found = await person.page.waitForFunction(
    (wanted) => (window as unknown as { answers: Answer[] }).answers.findLast((answer) => answer.name === wanted),
    name,
  );
  return (await found.jsonValue()) as Answer;
}

const forgetAnswers = (): Promise<unknown> => person.page.evaluate('answers.length = 0');

const USERS = ['ben.castillo', 'chiara.romano', 'grace.mensah', 'hana.suzuki', 'lena.bauer'];
const COURSES = { 'SEC-1': 101, 'DAT-2': 102, 'WEL-3': 103, 'Information Security Essentials': 101 };

/** As an administrator does before an import. */
async function register(): Promise<void> {
  const users = USERS.map((name) => `${name.replace(/^(.).*\./, '$1')},${name}@acme.test`);
  const courses = Object.entries(COURSES).map(([id, course]) => `${id},${course}`);
  writeFileSync(join(folder, 'users.csv'), ['external_user_id,email', ...users].join('\n'));
  writeFileSync(join(folder, 'courses.csv'), ['external_course_id,platform_course_id', ...courses].join('\n'));
  const desk = { cwd: folder, config };
  const login = ['login', '--url', used.stack.url, '--email', ADMIN.email, '--password-stdin'];
  expect((await runCli(desk, login, ADMIN.password)).code).toBe(0);
  expect((await runCli(desk, ['people', 'users.csv', '--register', '--yes'])).code).toBe(0);
  expect((await runCli(desk, ['courses', 'courses.csv', '--register', '--yes'])).code).toBe(0);
}

beforeAll(async () => {
  context = await used.browser.newContext();
  await context.addInitScript(noteAnswers);
  person = await Person.signedIn(context, used.stack.url);
  await register();
});

interface Outcome {
  readonly dry?: { readonly applied: number; readonly updated: number; readonly unchanged: number };
  readonly rejected?: string;
  /** Why the file is refused, and where. */
  readonly refused?: string;
}

const asText = (mapping: Mapping): string => `${JSON.stringify(mapping, undefined, 2)}\n`;

/** The texts of the files of rejected rows, one after another, that the person downloads. */
async function savedRejections({ page }: Person): Promise<string> {
  const downloads: Download[] = [];
  const note = (download: Download): void => void downloads.push(download);
  page.on('download', note);
  const button = { name: 'Download these rows' };
  await page.getByLabel('Raw values').check();
  await page.getByRole('button', button).click();
  // The button is free again when each file has been given, of which the browser reports some later.
  await page.getByRole('button', { ...button, disabled: false }).waitFor();
  const given: unknown = await page.evaluate(
    `answers.filter(({ name, result }) => name === 'rejectedFile' && result !== '').length`,
  );
  await expect.poll(() => downloads.length).toBe(given);
  page.off('download', note);
  const texts = downloads.map(async (download) => readFileSync(await download.path(), 'utf8'));
  return (await Promise.all(texts)).join('');
}

const reportOf = ({ run_id, summary: { rows: _, examples, ...counts }, rows, preview }: Report) => ({
  run_id,
  ...counts,
  examples: examplesInWords(examples),
  rows_read: rows,
  preview: preview ?? null,
});

interface OnPage extends Outcome {
  /** The mapping that the person has confirmed, with which the command reads the file. */
  readonly used?: Mapping | undefined;
}

class Refused extends Error {
  constructor(message: string) {
    super(message.trim().replace(/(?<=damaged or incomplete) \(.*\)/, ''));
  }
}

/** The result of a call of the worker. @throws Refused */
async function resultFrom<Result>(name: string): Promise<Result> {
  const { failure, result } = await answerTo(name);
  // In the words of the command, so that both are compared.
  if (failure !== undefined) throw new Refused(failure.said === undefined ? failure.value : saidInWords(failure.said));
  return result as Result;
}

interface Chosen {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly given?: string | undefined;
  /** The sheet of a workbook that the person chooses in place of the first. */
  readonly sheet?: string | undefined;
}

/** `undefined` where the page asks what only a person can say: there is nothing to compare. */
async function onPage(chosen: Chosen): Promise<OnPage | undefined> {
  let used: Mapping | undefined;
  try {
    const mapping = await opened(chosen);
    if (mapping === 'asked') return undefined;
    used = mapping;
    return { used, ...(await checked()) };
  } catch (error) {
    if (error instanceof Refused) return { used, refused: error.message };
    throw error;
  }
}

/** @returns the mapping with what the page suggests; `undefined` where the interface's own names need none */
async function opened({ files, given, sheet }: Chosen): Promise<Mapping | 'asked' | undefined> {
  const { page } = person;
  await page.getByRole('link', { name: 'File', exact: true }).click();
  await person.isAt('File');
  await forgetAnswers();
  await page
    .getByLabel('Files')
    .setInputFiles(files.map(({ name, bytes }) => ({ name, mimeType: '', buffer: Buffer.from(bytes) })));
  await resultFrom('openFiles');
  const drop = page.getByRole('button', { name: 'Begin without them' });
  if (await drop.isVisible()) await drop.click();
  if (sheet !== undefined) {
    await forgetAnswers();
    await page.getByText('Change', { exact: true }).first().click();
    await page.getByLabel('Sheet').selectOption(sheet);
    await resultFrom('openFiles');
    if (await drop.isVisible()) await drop.click();
  }
  if (given !== undefined) {
    const file = { name: 'given.json', mimeType: '', buffer: Buffer.from(given) };
    await page.getByLabel('Open a saved mapping').setInputFiles(file);
    await resultFrom('openMapping');
  }
  await person.press('Continue');
  const { isKnown, mapping } = await resultFrom<Awaited<ReturnType<typeof startReview>>>('startReview');
  return isKnown ? mapping?.kinds && mapping : reviewed();
}

async function reviewed(): Promise<Mapping | 'asked'> {
  const { page } = person;
  await person.isAt('Review');
  const confirm = page.getByRole('button', { name: SUGGESTIONS });
  if (await confirm.isVisible()) await confirm.click();
  await person.press('Continue');
  const asked = page.getByRole('alert').waitFor();
  const mapping = await Promise.race([resultFrom<Mapping>('acceptReview'), asked]);
  if (mapping === undefined) return 'asked';
  return mapping;
}

async function checked(): Promise<Outcome> {
  const report = await resultFrom<Report>('check');
  await person.isChecked();
  const rejected = report.summary.rejected === 0 ? '' : await savedRejections(person);
  return { dry: reportOf(report), rejected };
}

const MAPPED = ['--mapping', 'used.json'];

const sheetOf = ({ sheet }: Chosen): string[] => (sheet === undefined ? [] : ['--sheet', sheet]);
const allOf = (chosen: Chosen): string[] => [...chosen.files.map(({ name }) => name), ...sheetOf(chosen)];

/** Rejected rows without what to do at the terminal, which is not on the page. */
function asOnPage(file: string): string {
  const [header = ''] = file.split('\n', 1);
  const delimiter = ['\t', ';', ','].find((each) => header.includes(each)) ?? ',';
  const said = file.replaceAll(' Correct that row, or confirm its kind with init-mapping.', '');
  return said.replaceAll(
    /(:?)"([^\n]*? becomes)\. Correct the row, [^\n]*?\}( \([^\n]*\))?\."/g,
    // A text of JSON has quotes, a cell those that it needs.
    (_, member: string, becomes: string, note = '') => {
      const text = `${becomes}${note}.`;
      return member !== '' || text.includes(delimiter) || text.includes('"') ? `${member}"${text}"` : text;
    },
  );
}

async function byCommand(desk: Desk, chosen: Chosen, page: OnPage): Promise<Outcome> {
  const mapping = page.used === undefined ? chosen.given : asText(page.used);
  if (mapping !== undefined) writeFileSync(join(desk.cwd, 'used.json'), mapping);
  const args = ['import', ...allOf(chosen), ...(mapping === undefined ? [] : MAPPED), '--dry-run', '--json'];
  const finished = await runCli(desk, args);
  if (!finished.stdout.includes('"rows_read"')) {
    const { error } = JSON.parse(finished.stdout) as { error: string };
    return { refused: new Refused(error).message };
  }
  // The command makes a plan of its run even then, the page none.
  const { rejected_files, ...dry }: Record<string, unknown> = { ...resultOf(finished, page.dry), run_id: null };
  const texts = (rejected_files as string[]).map((file) => readFileSync(join(desk.cwd, file), 'utf8'));
  const rejected = texts.map(asOnPage).join('');
  return { dry: dry as NonNullable<Outcome['dry']>, rejected };
}

type Imported = Omit<ReturnType<typeof reportOf>, 'preview'> & { readonly preview?: unknown };

/** Imports what was checked, if anything can be; then the command, in a run of its own, finds all of it there. */
async function importedTwice(desk: Desk, chosen: Chosen, { dry, used }: OnPage): Promise<[object?, object?]> {
  if (dry === undefined || dry.applied + dry.updated + dry.unchanged === 0) return [];
  await person.startImport();
  const { done } = await resultFrom<{ readonly done: Report }>('startImport');
  const report = reportOf(done);
  const mapped = used === undefined && chosen.given === undefined ? [] : MAPPED;
  const finished = await runCli(desk, ['import', ...allOf(chosen), ...mapped, '--yes', '--json']);
  const { rejected_files: _, ...result } = resultOf(finished, report);
  expect(result['unchanged']).toBe(report.applied + report.updated + report.unchanged);
  return [withoutPreview(report), withoutPreview(result as unknown as Imported)];
}

/** What the records change is asked after the page has imported them. */
function withoutPreview({ preview: _, run_id: __, applied, updated, unchanged, ...report }: Imported): object {
  // Only a record that is updated is warned of what an earlier file of this suite said under its id.
  const { earlier_record_kept: ___, ...warnings_by_kind } = report.warnings_by_kind;
  return { ...report, warnings_by_kind, there: applied + updated + unchanged };
}

/** The members that the page has too. */
function resultOf({ stdout }: Finished, report: object = {}): Record<string, unknown> {
  const result = JSON.parse(stdout) as Record<string, unknown>;
  const names = new Set([...Object.keys(report), 'rejected_files']);
  return Object.fromEntries(Object.entries(result).filter(([name]) => names.has(name)));
}

const share = someOf(
  CASES.map((each, index) => ({ ...each, index })),
  8,
);

let imported = 0;

const BEGUN = new Date().toISOString();
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A record without a date shows the moment of its dry run, of which the page and the command have one each. */
const atTheMoment = (outcome: Outcome): unknown =>
  JSON.parse(JSON.stringify(outcome), (_, value: unknown) =>
    typeof value === 'string' && INSTANT.test(value) && value > BEGUN ? 'now' : value,
  );

/** @param place a folder of its own */
async function compare(place: string, chosen: Chosen): Promise<void> {
  const desk = { cwd: join(folder, place), config };
  mkdirSync(desk.cwd);
  for (const { name, bytes } of chosen.files) writeFileSync(join(desk.cwd, name), bytes);
  const page = await onPage(chosen);
  if (page === undefined) return;
  const { used: _, ...outcome } = page;
  expect(atTheMoment(outcome)).toEqual(atTheMoment(await byCommand(desk, chosen, page)));
  const [own, theirs] = await importedTwice(desk, chosen, page);
  expect(own).toEqual(theirs);
  if (own !== undefined) imported += 1;
  expect(person.complaints).toEqual([]);
}

it.each(share)('the page makes of $name what the command makes of it', async ({ name, bytes, index, mapping }) => {
  const given = mapping === undefined ? undefined : JSON.stringify(mapping);
  await expect(compare(String(index), { files: [{ name, bytes }], given })).resolves.toBeUndefined();
});

/** Chooses the sample of a known system, which the page asks about in one sentence. */
async function chooseSample(id: string): Promise<Case> {
  const sample = sampleOf(id);
  const { page } = person;
  await page.getByRole('link', { name: 'File', exact: true }).click();
  await forgetAnswers();
  await person.choose({ name: sample.name, text: sample.bytes });
  const drop = page.getByRole('button', { name: 'Begin without them' });
  if (await drop.isVisible()) await drop.click();
  await person.continueTo('Review');
  return sample;
}

it.each(someOf(SYSTEMS, 6))(
  'the page suggests of a sample of $id what the command suggests',
  async ({ id, descriptor }) => {
    const { name, bytes } = await chooseSample(id);
    await person.page.getByText(`This is ${descriptor.name.en}: right?`).waitFor();
    expect(await person.page.locator('.kind').count()).toBe(0);
    await person.press('Yes, that is right');
    const confirmed = await resultFrom<Findings>('confirmAll');
    const desk = { cwd: join(folder, id), config };
    mkdirSync(desk.cwd);
    writeFileSync(join(desk.cwd, name), bytes);
    await runCli(desk, ['init-mapping', name, '--match-courses', '--accept-suggestions', '--out', 'own.json']);
    const own: unknown = JSON.parse(readFileSync(join(desk.cwd, 'own.json'), 'utf8'));
    expect(mappingOf(confirmed, saidInWords)).toEqual(own);
    expect(own).toMatchObject({ choices: { system: id } });
  },
);

it('who says that a file is not of the system sees the kinds of any other file', async () => {
  await chooseSample('talentlms');
  await person.press('No, show the kinds');
  await person.page.locator('.kind').first().waitFor();
  expect(await person.page.getByText('right?').count()).toBe(0);
});

const HEADER = ['Record', 'Email', 'Course', 'Done'];
const row = (id: string, who: string, course: string, done: string): string[] => [id, `${who}@acme.test`, course, done];
const SPRING = [HEADER, row('s-1', 'ben.castillo', 'SEC-1', '50'), row('s-2', 'nobody', 'DAT-2', '60')];
const AUTUMN = [HEADER, row('a-1', 'grace.mensah', 'WEL-3', '70'), row('s-1', 'hana.suzuki', 'SEC-1', '180')];
const csvOf = (rows: readonly string[][]): Buffer => Buffer.from(rows.map((cells) => cells.join(',')).join('\n'));
const sheetRows = (rows: readonly string[][]): string => rows.map((cells, index) => textRow(index + 1, cells)).join('');

it('the page makes of two files together what the command makes of them', async () => {
  const files = [
    { name: 'spring.csv', bytes: csvOf(SPRING) },
    { name: 'autumn.csv', bytes: csvOf(AUTUMN) },
  ];
  await expect(compare('two', { files })).resolves.toBeUndefined();
});

it('the page makes of a chosen sheet what the command makes of it', async () => {
  const bytes = workbookOf({ sheets: { Spring: sheetRows(SPRING), Autumn: sheetRows(AUTUMN) } });
  const chosen = { files: [{ name: 'years.xlsx', bytes }], sheet: 'Autumn' };
  await expect(compare('sheet', chosen)).resolves.toBeUndefined();
});

it.runIf(AT_LENGTH)('most files are imported', () => {
  expect(imported).toBeGreaterThan(25);
});
