/** Rows that are left out because they take a completion back, as in a log of events: no earlier row of the pair counts. */
import { ownValue } from '../ground/own-value.ts';
import { columnOf } from '../language/named-columns.ts';
import type { Mapping } from '../language/schema.ts';
import type { Cells, ValueReaders } from './value-reader.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { type Decision, kindApplier } from './kinds.ts';
import { cellReader } from '../language/classes.ts';

/**
 * A text that takes a completion back, whenever it was. A registration that is cancelled or a user who withdraws takes none
 * back.
 */
export const isRevoked = (text: string): boolean => saysTopic(plainText(text), 'revoked');

interface Revocation {
  /** Every row of the file is noted before the first is asked about. */
  readonly note: (cells: Cells) => void;
  /** What becomes of a row, otherwise imported, that another one takes back; `undefined` for any other. */
  readonly takenBack: (cells: Cells) => Decision | undefined;
}

/** @returns `undefined` if no kind takes anything back */
export function revocationOf(mapping: Mapping, values: ValueReaders): Revocation | undefined {
  const { kinds, record } = mapping;
  const confirmed = (kinds?.confirmed ?? []).filter(
    (kind) => kind.outcome === 'leave_out' && Object.values(kind.values).some(isRevoked),
  );
  const pair = [
    record['user.email'] ?? record['user.external_user_id'],
    record['content.platform_course_id'] ?? record['content.external_course_id'],
  ].flatMap((source) => columnOf(source) ?? []);
  if (kinds === undefined || pair.length < 2 || confirmed.length === 0) return undefined;
  const decide = kindApplier({ ...kinds, confirmed }, values);
  const places = pair.map((name) => values.columns.indexOf(name, 'record'));
  const keyOf = (cells: Cells): string => JSON.stringify(places.map((place) => cells[place]?.trim().toLowerCase()));
  const names = new Set(kinds.confirmed.flatMap(({ date }) => (date?.startsWith(':') === false ? [date] : [])));
  const readers = [...names].map((name) => {
    const dates = ownValue(kinds.columns, name)?.dates ?? ownValue(kinds.dates, name);
    const [place, read] = [
      values.columns.indexOf(name, 'kinds'),
      cellReader({ read: 'date' }, values.notation({ dates })),
    ];
    return (cells: Cells) => read(cells[place] ?? '').value;
  });
  const dateOf = (cells: Cells): string | undefined => readers.map((read) => read(cells)).find(isText);
  const latest = new Map<string, string>();
  return {
    note: (cells) => {
      if (decide(cells).is !== 'left out') return;
      const [key, date] = [keyOf(cells), dateOf(cells) ?? '9999'];
      if (date > (latest.get(key) ?? '')) latest.set(key, date);
    },
    takenBack: (cells) => {
      const date = latest.get(keyOf(cells));
      return date !== undefined && (dateOf(cells) ?? '') <= date ? TAKEN_BACK : undefined;
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

const TAKEN_BACK: Decision = {
  is: 'left out',
  reason: 'another row of the learner and the course takes it back',
};
