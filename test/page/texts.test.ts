/** The texts of the page: the same keys in each language, no word of the interface or the command. Milliseconds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RECORD_ERRORS, REQUEST_ERROR_STATUS } from '../../functions/shared/codes.ts';
import { textsFor, zoneName } from '../../bin/importer/page/texts/index.ts';

const TEXTS = join(import.meta.dirname, '../../bin/importer/page/texts');
const FILES = readdirSync(TEXTS).flatMap((name) => /^(\w+)-page\.ts$/.exec(name)?.slice(1) ?? []);
const LANGUAGES = await Promise.all(FILES.map(async (language) => [language, await textsFor([language])] as const));
const EN = await textsFor(['en']);

/** Names of members, codes, options, and the line that runs the command. */
const INTERNAL =
  /(?:progress|content|assessment|user)\.[a-z]|"(?:values|dates)"|--[a-z]|external_|platform_|\bnpx\b|[a-z]{3,}_[a-z]{3,}/;

/** Refusals of requests that the page does not make. */
const OF_NO_PERSON: ReadonlySet<string> = new Set([
  'mapping_not_found',
  'insufficient_scope',
  'approval_by_another',
  'plan_not_found',
  'plan_incomplete',
  'plan_digest_differs',
  'plan_closed',
  'version_conflict',
  'record_not_found',
  'route_not_found',
  'method_not_allowed',
  'report_not_requested',
  'batch_too_large',
  'payload_too_large',
]);

type Leaf = readonly [path: string, text: string];

/** Every text by its path; of a text that is made, an example with counts and words. */
function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'string') return [[path, value]];
  // The sentences of the engine have a test of their own, and come later.
  if (path === '/engine') return [];
  if (typeof value === 'function') return [[path, exampleOf(value as (...args: unknown[]) => unknown, path)]];
  return Object.entries(value as object).flatMap(([name, each]) => leavesOf(each, `${path}/${name}`));
}

function exampleOf(make: (...args: unknown[]) => unknown, path: string): string {
  const isOfWords =
    /readAs|samples|range|Of$|\/on$|From$|Form$|reasons|use|In$|Out$|split|putOut|odd|noValue|freeText|\/plan$/.test(
      path,
    );
  return String(make(...(isOfWords ? ['Status', 'Name', 2] : [2, 3, 'rows'])));
}

describe.each(LANGUAGES)('%s', (language, texts) => {
  it('has the keys of every other language', () => {
    expect(leavesOf(texts).map(([path]) => path)).toEqual(leavesOf(EN).map(([path]) => path));
  });

  it('has no word that only the interface or the command knows', () => {
    expect(leavesOf(texts).filter(([, text]) => INTERNAL.test(text))).toEqual([]);
  });

  it('has words for each reason of the service', () => {
    expect(Object.keys(texts.rejected.reasons)).toEqual(expect.arrayContaining(Object.keys(RECORD_ERRORS)));
    const met = Object.keys(REQUEST_ERROR_STATUS).filter((code) => !OF_NO_PERSON.has(code));
    expect(Object.keys(texts.problems)).toEqual(expect.arrayContaining(met));
    expect(texts.language).toBe(language);
  });
});

it('the browser chooses the language, and any other one is English', async () => {
  const wanted = [['de-AT', 'en'], ['en-US', 'de'], ['fr', 'de'], ['fr'], []];
  const chosen = await Promise.all(wanted.map((each) => textsFor(each)));
  expect(chosen.map(({ language }) => language)).toEqual(['de', 'en', 'de', 'en', 'en']);
});

it.each([
  ['Europe/Berlin', 'Central European Time (Berlin)'],
  ['America/Argentina/Buenos_Aires', 'Argentina Standard Time (Buenos Aires)'],
  ['Etc/GMT-1', 'GMT+01:00'],
  ['UTC', 'UTC'],
  ['no zone', 'no zone'],
])('the zone %s has the name that people know', (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});
