/** What is found of the columns of tables in many languages, and of what a person then says. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { outcomesFor } from '../../../../bin/importer/engine/decide/outcomes.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const found = async (lines: readonly string[]) => findKinds([await openSource(new File([lines.join('\n')], 'a.csv'))]);

describe('a day of completion', () => {
  const completedBy = async (enrolled: string, completed: string, status = 'Completed') => {
    const { kinds } = await found([
      `Email,Course,${enrolled},Status,${completed}`,
      `ann@acme.test,A,2024-01-02,${status},2024-01-22`,
      `ben@acme.test,A,2024-01-03,${status},2024-01-23`,
    ]);
    return kinds[0]?.date;
  };

  it.each([
    ['enrollment_date', 'enrollment_completion_date'],
    ['Enrolled on', 'Enrolment completed on'],
    ['Registration date', 'Completion of registration date'],
    ['Assigned', 'Date assignment completed'],
    ['Einschreibedatum', 'Einschreibung abgeschlossen am'],
    ["Date d'inscription", 'Date inscription terminée'],
    ['Fecha de inscripción', 'Fecha de finalización de la inscripción'],
    ['Data di iscrizione', 'Iscrizione completata il'],
    ['Data de matrícula', 'Matrícula concluída em'],
    ['Ingeschreven op', 'Inschrijving voltooid op'],
    ['Data zapisu', 'Data ukończenia zapisu'],
    ['Kayıt tarihi', 'Kayıt tamamlanma tarihi'],
    ['登録日', '登録コース完了日'],
  ])('beside "%s" is "%s"', async (enrolled, completed) => {
    expect(await completedBy(enrolled, completed)).toBe(completed);
    expect(await completedBy(completed, enrolled)).toBe(completed);
  });

  it.each(['Completion due date', 'Expected completion date', 'Abschlussfrist', "Date limite d'achèvement"])(
    'is not "%s"',
    async (header) => {
      expect(await completedBy('Completed on', header)).toBe('Completed on');
      expect(await completedBy('Enrolled on', header)).not.toBe(header);
    },
  );

  it.each([
    ['Condiciones de participación - Fecha de finalización', 'Curso finalizado'],
    ['Prerequisite completed on', 'Course completed on'],
  ])('is asked about, where "%s" says it and "%s" too', async (ofCondition, ofCourse) => {
    expect(await completedBy(ofCondition, ofCourse)).toBeNull();
  });
});

describe('an address beside several names', () => {
  const sharedIn = async (address: string, ...names: readonly string[]) => {
    const lines = names.map((name, index) => `${address},"${name}",C${index},Completed,2024-01-22`);
    const { shared } = await found([
      'Email,Name,Course,Status,Completed on',
      ...lines,
      'han@acme.test,Han Solo,C1,Completed,2024-01-22',
    ]);
    return shared.flatMap((each) => each.names);
  };

  it.each([
    ['training@acme.test', ['Ann Smith', 'Ben Castillo', 'Chiara Romano', 'Grace Mensah', 'Hana Suzuki']],
    ['training@acme.test', ['Ann Smith', 'Ben Castillo']],
    ['family@acme.test', ['Ann Smith', 'Ben Smith']],
    ['ann.smith@acme.test', ['Ann Smith', 'Castillo, Ben']],
    ['kiosk@acme.test', ['田中 太郎', '山田 花子']],
    ['mailto:kiosk@acme.test', ['Ann Smith', 'Ben Castillo']],
    ['Kiosk <KIOSK@acme.test>', ['Ann Smith', 'Ben Castillo']],
  ])('%s beside %j is shared', async (address, names) => {
    expect(await sharedIn(address, ...names)).toEqual(names);
  });

  it.each([
    ['a@acme.test', ['Ann Smith', 'Smith, Ann', 'A. Smith', 'ANN SMITH', 'Ann', 'Ann Maria Smith', 'Anne Smith']],
    ['a@acme.test', ['Ann Smith', 'Ann Smith-Jones', 'Ann Jones']],
    ['a@acme.test', ['José Muñoz', 'Jose Munoz', 'Munoz, Jose']],
    ['robert.smith@acme.test', ['Robert Smith', 'Bob Smith']],
    ['a@acme.test', ['Jon Snow', 'John Snow', '', '-', '17']],
  ])('%s beside %j is of one person', async (address, names) => {
    expect(await sharedIn(address, ...names)).toEqual([]);
  });
});

it('a percentage that says more than nothing is not offered as 0 %', async () => {
  const findings = await found([
    'Email,Course,Status,Progress,Completed on',
    'a@x.test,A,Incomplete,100,',
    'b@x.test,A,Incomplete,40,',
    'c@x.test,A,Incomplete,0,',
    'd@x.test,A,Completed,100,2024-01-22',
  ]);
  const offered = findings.kinds.map((kind) =>
    outcomesFor(kind, findings).flatMap((each) => (each.outcome === 'in_progress' ? [each.percent ?? '0 %'] : [])),
  );
  expect(offered).toEqual([[], ['Progress'], ['Progress', '0 %'], []]);
});

it('a day on which a course is due, or until which it counts, is not offered as that of an outcome', async () => {
  const findings = await found([
    'Email,Course,Status,Due date,Expires on,Last access',
    'a@x.test,A,Completed,2024-01-21,2025-01-22,2024-01-22',
    'b@x.test,A,Withdrawn,2024-01-23,2025-01-24,2024-01-24',
  ]);
  const offered = findings.kinds.map((kind) => outcomesFor(kind, findings).map(({ date }) => date));
  expect(new Set(offered.flat().filter((date) => date !== undefined))).toEqual(new Set(['Last access', ':import day']));
});

describe('a column that is the same in all rows of a learner', () => {
  const columnsOf = async (learners: number, passed: (learner: number, row: number) => string) => {
    const rows = Array.from({ length: learners * 2 }, (_, index) => {
      const learner = Math.floor(index / 2);
      return `p${learner}@acme.test,C${index % 2},2024-01-${10 + (index % 9)},${passed(learner, index)}`;
    });
    return Object.keys((await found(['Email,Course,Datum,Kinnitatud', ...rows])).columns);
  };

  it('says nothing of a course', async () => {
    expect(await columnsOf(20, (learner) => (learner % 2 === 0 ? 'Jah' : 'Mitte'))).toEqual(['Datum']);
  });

  it('may be so by chance, of a few rows', async () => {
    expect(await columnsOf(5, (learner) => (learner === 3 ? 'Mitte' : 'Jah'))).toEqual(['Datum', 'Kinnitatud']);
  });
});
