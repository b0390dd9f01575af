/** What is found of the columns of small tables. In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/kinds/find.ts';
import type { Choices } from '../../../../bin/importer/engine/kinds/types.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';

const found = async (lines: readonly string[], choices: Choices = {}) =>
  findKinds([await openSource(new File([lines.join('\n')], 'a.csv'))], { choices });

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
});

it('the examples of a column of dates can be true', async () => {
  const never = ['1900-01-01', '0001-01-01', '1970-01-01', '9999-12-31', '2024-01-22'];
  const { dates } = await found([
    'Email,Course,Status,Completed on',
    ...never.map((date, index) => `p${index}@acme.test,A,Completed,${date}`),
  ]);
  expect(dates[0]?.samples).toEqual([{ text: '2024-01-22', date: '2024-01-22' }]);
});
