/** Each rule decides in its own example: one that is removed, or comes too late, fails by its name. Milliseconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COLUMN_RULES } from '../../../../bin/importer/engine/decide/column-rules.ts';
import { FILE_RULES } from '../../../../bin/importer/engine/decide/file-rules.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { KIND_RULES } from '../../../../bin/importer/engine/decide/kind-rules.ts';
import { NEEDED_RULES } from '../../../../bin/importer/engine/decide/needed.ts';
import { WORD_RULES } from '../../../../bin/importer/engine/decide/word-rules.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { outcomesOf, TABLES } from '../outcomes-of.ts';

const ENGINE = join(import.meta.dirname, '../../../../bin/importer/engine');

type Cells = Readonly<Record<string, string>>;

const cellsOf = (row: string): Cells =>
  Object.fromEntries(
    row.split('; ').map((cell) => {
      const [, column = '', text = ''] = /^(.*?):\s?(.*)$/s.exec(cell) ?? [];
      return [column.trim(), text];
    }),
  );

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A table of an example: a row for a learner, where it names none, in one course. */
function tableOf(example: string): { readonly file: File; readonly first: Cells } {
  const rows = example.split(' / ').map(cellsOf);
  const own = rows.map((row, index) => ({
    ...('Email' in row ? {} : { Email: `learner${index}@acme.test` }),
    ...('Course' in row ? {} : { Course: 'Fire Safety' }),
    ...row,
  }));
  const columns = [...new Set(own.flatMap((row) => Object.keys(row)))];
  const lines = own.map((row: Cells) => columns.map((column) => quoted(row[column] ?? '')).join(','));
  return {
    file: new File([[columns.map(quoted).join(','), ...lines].join('\n')], 'history.csv'),
    first: rows[0] ?? {},
  };
}

/** Examples that need more than a row for a learner are tables of the tests, by their names. */
const TABLE = /^@/;
const outcomes = readFileSync(join(import.meta.dirname, '../outcomes.txt'), 'utf8').split(/^=== /m);
const frozenOf = (name: string): string => outcomes.find((block) => block.startsWith(`${name}\n`)) ?? '';

const NOW = Date.parse('2026-11-27');

const findingsOf = async (file: File) => findKinds([await openSource(file, { now: NOW })], {});

async function found(example: string) {
  const { file, first } = tableOf(example);
  const findings = await findingsOf(file);
  const [column = ''] = Object.keys(first);
  const kind = findings.kinds.find(({ lines }) => lines.includes(2));
  return { rule: kind?.reason?.code, word: kind?.words[column], ofColumn: findings.why[column]?.code };
}

type Decided = Awaited<ReturnType<typeof found>>;

/** The rule that decided in an example; of a table of the tests, whether it did about some column or kind. */
async function decided(example: string, name: string, member: keyof Decided): Promise<string | undefined> {
  if (!TABLE.test(example)) return (await found(example))[member];
  const isThere = new RegExp(`[ "]${name}["\\s,]`).test(frozenOf(example.replace(TABLE, '')));
  return isThere ? name : undefined;
}

const examples = (rules: readonly { readonly name: string; readonly example: string }[]) =>
  [...new Map(rules.map((rule) => [rule.name, rule])).values()].map(({ name, example }) => [name, example] as const);

const OF_KINDS = examples([...KIND_RULES, ...FILE_RULES]);
const OF_COLUMNS = examples([...COLUMN_RULES, ...NEEDED_RULES]);

describe('a kind is suggested by', () => {
  it.each(OF_KINDS)('%s', async (name, example) => {
    expect(await decided(example, name, 'rule')).toBe(name);
  });
});

describe('the word of the first column means something by', () => {
  it.each(examples(WORD_RULES))('%s', async (name, example) => {
    expect(await decided(example, name, 'word')).toBe(name);
  });
});

describe('the first column is decided by', () => {
  it.each(OF_COLUMNS)('%s', async (name, example) => {
    expect(await decided(example, name, 'ofColumn')).toBe(name);
  });
});

/** What becomes of an example, without the names of rules and their reasons. */
async function verdict(example: string): Promise<string> {
  const table = TABLES.find(({ name }) => name === example.replace(TABLE, ''));
  if (table !== undefined) {
    const lines = (await outcomesOf(table)).split('\n');
    return lines.filter((line) => !/^(?: {2}because|rules of columns) /.test(line)).join('\n');
  }
  const { columns, kinds, unclear, freeText } = await findingsOf(tableOf(example).file);
  const becomes = kinds.map(({ values, outcome, date, percent, lines }) => ({ values, outcome, date, percent, lines }));
  return JSON.stringify({ columns, becomes, unclear, freeText });
}

/** They say more of why than the rule behind them, which decides the same; or every row fits them, as it fits what is said without a rule. */
const SAYS_WHY: ReadonlySet<string> = new Set([
  'attended_is_no_completion',
  'certificate_on_no_day',
  'ended_beside_more',
  'failed_on_several_days',
  'passed_on_the_last_activity',
  'completed_on_the_last_activity',
  'done_on_several_days',
  'not_passed_on_no_day',
  'completion_below_the_course',
  'neither_progress_nor_day',
  'many_different_texts',
  'day_of_a_deletion',
  'day_of_completion_by_its_header',
  'known_word',
]);

const TABLES_OF_RULES = [KIND_RULES, FILE_RULES, COLUMN_RULES, NEEDED_RULES, WORD_RULES];
const NAMED = TABLES_OF_RULES.flatMap((rules) => examples(rules).map(([name, example]) => ({ rules, name, example })));

/** The same table without the rows of a name, until it is undone. */
function withoutRule(rules: readonly { readonly name: string }[], name: string): () => void {
  const all = [...rules];
  const put = (some: readonly object[]) => Array.prototype.splice.call(rules, 0, rules.length, ...some);
  put(all.filter((rule) => rule.name !== name));
  return () => put(all);
}

describe('without the rule its example becomes something else', () => {
  it.each(NAMED)('$name', async ({ rules, name, example }) => {
    const before = await verdict(example);
    const undo = withoutRule(rules, name);
    try {
      expect((await verdict(example)) === before).toBe(SAYS_WHY.has(name));
    } finally {
      undo();
    }
  });
});

it('every code of a rule is that of a row, or of what is said beside the tables', () => {
  const source = readFileSync(join(ENGINE, 'ground/rule-codes.ts'), 'utf8');
  const codes = [...source.matchAll(/^ {2}(\w+): /gm)].map(([, code]) => code);
  const names: ReadonlySet<string | undefined> = new Set([...OF_KINDS, ...OF_COLUMNS].map(([name]) => name));
  expect(codes.filter((code) => !names.has(code))).toEqual([
    'own_reason',
    'proposed_by',
    'known_of_system',
    'system_knows_no_such_row',
    'column_of_system',
    'numbers_up_to_100',
    'words_between_numbers',
    'types_of_items',
    'types_of_anything',
    'day_of_start_tells',
    'name_of_a_state',
    'names_in_words',
    'unknown_words_add_nothing',
    'tells_no_rows_apart',
    'column_chosen',
    'column_in_a_tie',
    'column_known',
    'column_by_its_form',
  ]);
  expect([...names].filter((name) => !codes.includes(name))).toEqual([]);
});
