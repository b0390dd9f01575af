/** Tables with a column for each course. Costs milliseconds. */
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const COURSES = ['Erste Hilfe', 'Gefahrstoffe'];
const platform = {
  courseOf: (text: string) => (COURSES.includes(text) ? 101 + COURSES.indexOf(text) : undefined),
  knownLearners: async (texts: readonly string[]) => new Set(texts.filter((text) => ['1010', '1034'].includes(text))),
};

async function foundIn(...lines: readonly string[]) {
  const source = await openSource(new File([lines.join('\n')], 'matrix.csv'));
  const { learner, course, kinds } = await findKinds([source], { platform });
  return {
    learner: learner.isUndecided ? null : learner.column,
    course: course.column,
    kinds: kinds.map(({ values }) => values),
  };
}

const ROWS = ['1010,Kühn,2024-01-02,2024-02-02', '1034,Vogt,,2024-02-03'];

it('of courses of the platform, the learner may be under a header that nobody knows', async () => {
  expect(await foundIn('Stammsatz,Name,Erste Hilfe,Gefahrstoffe', ...ROWS)).toEqual({
    learner: 'Stammsatz',
    course: ':course',
    kinds: [{ ':completed on': 'a date' }],
  });
});

it('is a matrix without a learner too, whom a person names', async () => {
  const rows = ROWS.map((row) => row.replace(/^\d+/, 'A7'));
  expect(await foundIn('Stammsatz,Name,Erste Hilfe,Gefahrstoffe', ...rows)).toMatchObject({
    learner: null,
    course: ':course',
  });
});

it('is none beside cells of courses', async () => {
  const rows = ROWS.map((row) => row.replace(/Kühn|Vogt/, 'Gefahrstoffe'));
  expect(await foundIn('Stammsatz,Thema,Erste Hilfe,Gefahrstoffe', ...rows)).toMatchObject({ course: 'Thema' });
});

it('is none of numbers that are mostly no percentages: those of a public list of completions', async () => {
  const header = 'user_id,journey_id,enrolling_times,study_duration,avg_submission_rating';
  const rows = ['1010,32,3,44,4.5', '1034,51,1,50,3', '1010,74,2,52,2.67'];
  expect(await foundIn(header, ...rows)).toMatchObject({ learner: 'user_id', course: null });
  // Shares of courses, whatever these are called.
  const shares = rows.map((row) => row.replaceAll(/(?<=,)[\d.]+(?=,|$)/g, '$&%').replace('%', ''));
  expect(await foundIn(header, ...shares)).toMatchObject({ course: ':course' });
  expect(await foundIn('user_id,batch,Erste Hilfe 1,Time management,Brandschutz', ...rows)).toMatchObject({
    course: ':course',
  });
});

it('is one beside a code that only its header takes for that of a course', async () => {
  const rows = ['1010,Sí,No', '1034,Pendiente,Sí'];
  expect(await foundIn('Código,Erste Hilfe,Gefahrstoffe', ...rows)).toEqual({
    learner: 'Código',
    course: ':course',
    kinds: [{ ':status': 'Sí' }, { ':status': 'No' }, { ':status': 'Pendiente' }],
  });
  // With courses in its cells, or none in the header, it is that of a course.
  const courses = ['Gefahrstoffe,Sí,No', 'Erste Hilfe,Pendiente,Sí'];
  expect(await foundIn('Código,Erste Hilfe,Gefahrstoffe', ...courses)).toMatchObject({ course: 'Código' });
  expect(await foundIn('Código,Altura,Plataformas', ...rows)).toMatchObject({ course: 'Código' });
});

it('is none of numbers beside a progress in words', async () => {
  const header = 'Login,Lernfortschritt,Prozent,Zugriffe';
  const rows = ['1010,Bestanden,100,4', '1034,In Bearbeitung,40,2', '1056,Nicht begonnen,0,0'];
  expect(await foundIn(header, ...rows)).toEqual({
    learner: 'Login',
    course: null,
    kinds: [
      { Lernfortschritt: 'Bestanden' },
      { Lernfortschritt: 'In Bearbeitung' },
      { Lernfortschritt: 'Nicht begonnen' },
    ],
  });
  // The name of an office says nothing of a state.
  const others = rows.map((row) => row.replace(/(?<=,)[a-z ]+/i, 'Bauamt'));
  expect(await foundIn(header.replace('Lernfortschritt', 'Amt'), ...others)).toMatchObject({ course: ':course' });
});
