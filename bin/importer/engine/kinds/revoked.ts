/** Rows that are left out because they take a completion back, as in a log of events: no earlier row of the pair counts. */
import { columnOf } from '../mapping/named-columns.ts';
import type { Mapping } from '../mapping/schema.ts';
import type { Cells, ValueReaders } from '../mapping/value-reader.ts';
import { plainText } from '../words/words.ts';
import { type Decision, kindApplier } from './apply.ts';
import { cellReader } from './classes.ts';

/** A registration that is cancelled or a user who withdraws takes no earlier completion back. */
const REVOKED = /revok|revo[cqg][auo]|rescind|\bvoided\b|invalidat|\breset|widerruf|entzogen|zuruckgesetzt|reinitialis/;

export interface Revocation {
  /** Every row of the file is noted before the first is asked about. */
  readonly note: (cells: Cells) => void;
  readonly isTakenBack: (cells: Cells) => boolean;
}

/** @returns `undefined` if no confirmed kind takes anything back */
export function revocationOf(mapping: Mapping, values: ValueReaders): Revocation | undefined {
  const { kinds, record } = mapping;
  const isRevoked = (kinds?.confirmed ?? []).map(
    (kind) => kind.outcome === 'leave_out' && Object.values(kind.values).some((text) => REVOKED.test(plainText(text))),
  );
  const pair = [
    record['user.email'] ?? record['user.external_user_id'],
    record['content.platform_course_id'] ?? record['content.external_course_id'],
  ].flatMap((source) => columnOf(source) ?? []);
  if (kinds === undefined || pair.length < 2 || !isRevoked.includes(true)) return undefined;
  const revoking = kinds.confirmed.filter((_, index) => isRevoked[index]);
  const decide = kindApplier({ ...kinds, confirmed: revoking }, values);
  const places = pair.map((name) => values.columns.indexOf(name, 'record'));
  const keyOf = (cells: Cells): string => JSON.stringify(places.map((place) => cells[place]?.trim().toLowerCase()));
  const names = new Set(kinds.confirmed.flatMap(({ date }) => (date?.startsWith(':') === false ? [date] : [])));
  const readers = [...names].map((name) => {
    const dates = kinds.columns[name]?.dates ?? kinds.dates?.[name];
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
    isTakenBack: (cells) => {
      const until = latest.get(keyOf(cells));
      return until !== undefined && (dateOf(cells) ?? '') <= until;
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const TAKEN_BACK: Decision = {
  is: 'left out',
  reason: 'another row of the learner and the course takes it back',
};
