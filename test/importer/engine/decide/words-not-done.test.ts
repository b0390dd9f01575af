/**
 * A row whose only word says that it is not done is completed by no day beside it: over every such word of the lexicon, headers of a
 * state and headers of a day. In memory; costs seconds.
 */
import { expect, it } from 'vitest';
import { choicesOf, confirmSuggestions, mappingOf } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { LANGUAGES } from '../../../../bin/importer/engine/lexicon/languages.ts';
import { meaningOf } from '../../../../bin/importer/engine/lexicon/words.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { cases, FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';

const NOT_DONE = new Set(['failed', 'in_progress', 'not_started', 'incomplete']);
const saysNotDone = (text: string): boolean => NOT_DONE.has(meaningOf(text) ?? '');

const words = Object.values(LANGUAGES)
  .flatMap(({ status }) => Object.values(status).flatMap((listed = {}) => Object.values(listed)))
  .flatMap((some) => (some ?? []).filter(saysNotDone));
const WORDS = [...new Set(words)];

const OF_STATE = [
  'Status,Result,Outcome,Exam result,Passed,Pass/Fail,Completed,Attendance,Success status,Quiz status,Assessment',
  'Enrolment status,Enrollment state,Order status,Final result,State,Ergebnis,Bewertung,Resultado,Résultat,Esito',
  'Resultaat,Situação,Wynik,結果,Участь,Score,Punkte,Mark %,Grade',
].flatMap((names) => names.split(','));
const OF_DAY = [
  'End date,Completion date,Date,Exam date,Issue date,When,Last access,Enddatum,Abschlussdatum,Date de fin',
  'Fecha fin,Data fim,Data fine,Einddatum,Slutdatum',
].flatMap((names) => names.split(','));
/** What the other rows say. */
const SCORES = Array.from({ length: 50 }, (_, points) => String(50 + points));
const OTHERS = [['Passed', 'Failed'], ['Completed'], ['Passed'], ['Zorbled'], [''], [], SCORES];
/** Columns that say nothing of how far a learner is. */
const BESIDE = [
  ['Enrolment status', 'Approved'],
  ['Order no. and state', 'Delivered'],
  ['Active', 'Yes'],
  ['Enrolment', 'Enrolled'],
  ['Hours', '2'],
] as const;

/** Each word is in one of the files. */
const MOST_WORDS = 40;

function tableOf(dice: Dice, own: readonly string[], state: string) {
  const [day, others] = [dice.pick(OF_DAY), dice.pick(OTHERS)];
  const [name, text] = dice.pick(BESIDE.filter(([each]) => each !== state));
  const rows = [...others, ...others, ...own, ...own].map((word, index) => {
    const date = `2025-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`;
    return [`p${index}@acme.test`, `C${index % 3}`, date, `"${word}"`, text].join(',');
  });
  return [['Email', 'Course', day, state, name].join(','), ...rows].join('\n');
}

it('no day completes a row whose only word says that it is not done', async () => {
  let [at, left] = [0, 0];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(20_000, 100); seed += 1) {
    const dice = new Dice(seed, 7);
    const size = seed % 3 === 0 ? 1 + dice.below(3) : MOST_WORDS;
    const own = Array.from({ length: size }, (_, index) => WORDS[(at + index) % WORDS.length] ?? '');
    at = (at + size) % WORDS.length;
    const state = OF_STATE[seed % OF_STATE.length] ?? '';
    const csv = tableOf(dice, own, state);
    const { kinds } = await findKinds([await openSource(new File([csv], 'a.csv'), { now: Date.parse('2026-11-27') })]);
    const said = kinds.filter(({ values }) => saysNotDone(values[state] ?? own[0] ?? ''));
    const wrong = said.filter(({ outcome }) => outcome === 'completed' || outcome === 'certified');
    expect({ csv, wrong: wrong.map(({ values, reason }) => ({ values, reason })) }).toEqual({ csv, wrong: [] });
    left += said.filter(({ outcome }) => outcome === 'leave_out').length;
  }
  expect(left).toBeGreaterThan(0);
}, 3_600_000);

const suggested = async (header: string, ...rows: readonly string[]) => {
  const lines = rows.map((row, index) => `p${index}@acme.test,C${index % 2},${row}`);
  const { kinds } = await findKinds([await openSource(new File([[header, ...lines].join('\n')], 'a.csv'))]);
  return kinds.map(({ outcome }) => outcome);
};
const days = (word: string): string[] => Array.from({ length: 6 }, (_, index) => `2025-03-0${index + 1},${word}`);

it.each([
  // The end of the course, in every row.
  ['End date', 'Result', 'Absent', 'leave_out'],
  ['Data fim', 'Resultado', 'Desistiu', 'leave_out'],
  ['Completion date', 'Result', 'Absent', null],
  ['End date', 'Exam result', 'Not attempted', null],
  ['Completion date', 'Payment status', 'Pending', null],
])('%s beside %s: %s is suggested as %s', async (day, state, word, outcome) => {
  const found = await suggested(`Email,Course,${day},${state}`, ...days('Passed'), ...days(word));
  expect(found[1]).toBe(outcome);
});

it('a word between scores tells a row apart, also once it is confirmed', async () => {
  const scores = days('').map((row, index) => `${row}${60 + index}`);
  const csv = [
    'Email,Course,End date,Score',
    ...[...scores, ...scores, ...days('Absent')].map((row, at) => `p${at}@acme.test,C,${row}`),
  ];
  const source = () => openSource(new File([csv.join('\n')], 'a.csv'));
  const first = confirmSuggestions(await findKinds([await source()]));
  expect(first.kinds.map(({ values, outcome }) => [values['Score'], outcome])).toEqual([
    ['a number', 'completed'],
    ['Absent', 'leave_out'],
  ]);
  const mapping = mappingOf(first);
  expect(mapping.record['assessment.score_pct']).toEqual({ column: 'Score', values: { Absent: null } });
  const again = await findKinds([await source()], { choices: choicesOf(mapping), confirmed: mapping.kinds?.confirmed });
  expect(again.kinds.map(({ confirmed }) => confirmed)).toEqual([true, true]);
});

it('no certificate is no completion on the day on which a course ended', async () => {
  const rowsOf = (day: string) => suggested(`Email,Course,${day},Certificate`, ...days('Yes'), ...days('No'));
  expect(await rowsOf('End date')).toEqual(['completed', null]);
  expect(await rowsOf('Completion date')).toEqual(['completed', 'completed']);
});

it('a course that is done to the whole is completed without its exam', async () => {
  const whole = days('Not attempted').map((row) => `${row},100 %`);
  const some = days('Passed').map((row) => `${row},100 %`);
  const [, kind] = await suggested('Email,Course,Completion date,Exam result,Progress', ...some, ...whole);
  expect(kind).toBe('completed');
});

it.each([
  ['Absent', 'sick', 'leave_out'],
  ['Not started', 'on maternity leave', 'leave_out'],
  ['Absent', 'cancelled the day before', 'leave_out'],
  ['Absent', 'completed', null],
  ['Failed', 'entered by mistake', null],
  ['Completed', 'struck off after audit', null],
  ['Completed', 'did not attend', null],
  ['Completed', 'cert on file', 'completed'],
])('beside %s, a remark that says %s is suggested as %s', async (status, remark, outcome) => {
  const rows = [...days('Completed,'), ...days('Absent,'), ...days(`${status},`)];
  const [, ...others] = days(`${status},${remark}`);
  const found = await suggested('Email,Course,Date,Status,Remarks', ...rows, ...others);
  expect(found.at(-1)).toBe(outcome);
});
