/** The words and dates of columns, with what they mean: a person compares and corrects them. */
import { FIELDS, isObject } from '../../engine/mapping/fields.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import { shown } from '../../engine/text.ts';
import { update } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { ColumnValues } from '../worker/columns.ts';
import { fieldOf, isExamOnly, isStatus, type Meaning, meaningsIn, partOf } from '../worker/edit-mapping.ts';
import { Field, Select } from './field.tsx';
import { Table } from './table.tsx';
import { Problem, useTask } from './task.tsx';

const text = TEXT.columns;

export interface Mapped {
  readonly columns: readonly ColumnValues[];
  readonly mapping: Mapping;
}

/** What depends on the mapping has to be found out again. */
export const changedMapping = (mapping: Mapping): void =>
  update({ mapping, courses: undefined, choices: {}, people: undefined, checked: undefined });

const wordsOf = ({ words }: ColumnValues): string[] => words.map((each) => each.text);

const statusColumns = ({ columns, mapping }: Mapped): ColumnValues[] =>
  columns.filter((column) => column.words.length > 0 && isStatus(mapping, column.reference));

/** Words of status columns without a meaning. */
export function openWords(columns: readonly ColumnValues[], mapping: Mapping | undefined): string[] {
  if (mapping === undefined) return [];
  return statusColumns({ columns, mapping }).flatMap((column) => {
    const known = meaningsIn(mapping, column.reference, wordsOf(column));
    return wordsOf(column).filter((word) => known[word] === undefined);
  });
}

export const Words = (mapped: Mapped) => (
  <>
    {statusColumns(mapped).map((column) => (
      <WordTable column={column} mapping={mapped.mapping} />
    ))}
  </>
);

const EXAM = new Set<Meaning>(['passed', 'failed', 'not taken', 'leave out']);
const isMeaning = (name: string): name is Meaning => Object.hasOwn(text.meanings, name);

interface MappedColumn {
  readonly column: ColumnValues;
  readonly mapping: Mapping;
}

function WordTable({ column, mapping }: MappedColumn) {
  const task = useTask();
  const { reference, name, words } = column;
  const meanings = meaningsIn(mapping, reference, wordsOf(column));
  const choices = Object.keys(text.meanings)
    .filter(isMeaning)
    .filter((each) => !isExamOnly(mapping, reference) || EXAM.has(each))
    .map((each) => [each, text.meanings[each]] as const);
  const choose = (word: string, meaning: string): void =>
    task.run(async () => {
      if (isMeaning(meaning)) changedMapping(await call('giveMeanings', reference, { ...meanings, [word]: meaning }));
    });
  const select = (word: string) => (
    <Select
      label={text.meaningOfWord(shown(word))}
      value={meanings[word] ?? ''}
      options={meanings[word] === undefined ? [['', text.choose], ...choices] : choices}
      onChange={(meaning) => choose(word, meaning)}
    />
  );
  return (
    <section class="card">
      <h2>{text.words(shown(name))}</h2>
      <Table
        caption={text.words(name)}
        head={[text.word, text.meaning, text.rows]}
        rows={words}
        cells={({ text: word, count }) => [word, { node: () => select(word) }, count]}
      />
      <Problem task={task} />
    </section>
  );
}

export function Dates({ columns, mapping }: Mapped) {
  const dated = columns.filter(({ reference, dates }) => {
    const field = fieldOf(mapping, reference);
    return field !== undefined && FIELDS[field] === 'date' && dates.length > 0;
  });
  return (
    <div class="cards">
      {dated.map((column) => (
        <DateTable column={column} mapping={mapping} />
      ))}
    </div>
  );
}

function formatIn(mapping: Mapping, reference: string): string {
  const field = fieldOf(mapping, reference);
  const part = field === undefined ? undefined : partOf(mapping, field, reference);
  const dates = isObject(part) ? part['dates'] : mapping.dates;
  return typeof dates === 'string' ? dates : 'iso';
}

function DateTable({ column, mapping }: MappedColumn) {
  const task = useTask();
  const { reference, name, dates } = column;
  const format = formatIn(mapping, reference);
  const read = dates.find((each) => each.format === format)?.read ?? [];
  const choose = (next: string): void =>
    task.run(async () => changedMapping(await call('chooseFormat', reference, next)));
  return (
    <section class="card">
      <h2>{text.dates(shown(name))}</h2>
      {dates.length > 1 && (
        <Field label={text.formatOf(shown(name))}>
          <Select value={format} options={dates.map((each) => [each.format, each.format])} onChange={choose} />
        </Field>
      )}
      <Table
        caption={text.dates(name)}
        head={[text.value, text.spelled]}
        rows={read}
        cells={(each) => [each.text, spelledOut(each.date)]}
      />
      <Problem task={task} />
    </section>
  );
}

/** `3 February 2024`: no two readings of a date look alike. */
function spelledOut(date: string | undefined): string {
  if (date === undefined) return text.unreadable;
  const time = date.length > 10 ? ({ timeStyle: 'short' } as const) : {};
  return new Date(date).toLocaleString('en-GB', { dateStyle: 'long', ...time, timeZone: 'UTC' });
}
