/** The forms of dates that are known without a mapping. Costs milliseconds. */
import { expect, it } from 'vitest';
import { convertDate } from '../../../../bin/importer/engine/dates/date-format.ts';
import { ColumnProfile } from '../../../../bin/importer/engine/profile/table-profile.ts';

it.each([
  // The learning history of SAP SuccessFactors, and the same with the day first.
  ['Apr/14/2024 5:37 PM America/New York', '2024-04-14T21:37:00.000Z'],
  ['14/Apr/2024 5:37 PM America/New York', '2024-04-14T21:37:00.000Z'],
  ['Apr/04/2024', '2024-04-04'],
  ['Apr-14-2024 5:37 PM America/New York', '2024-04-14T21:37:00.000Z'],
  // Moodle, in its language packs: strftimedatetime, strftimedaydatetime, strftimedaydate, strftimedatetimeshort.
  ['23. Dezember 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['mardi 23 décembre 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['martes, 23 de diciembre de 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['23 dicembre 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['terça-feira, 23 de dezembro de 2025 às 16:58', '2025-12-23T16:58:00.000Z'],
  ['23/12/25 às 16:58', '2025-12-23T16:58:00.000Z'],
  ['dinsdag, 23 december 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['wtorek, 23 grudnia 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['úterý, 23. prosince 2025, 16.58', '2025-12-23T16:58:00.000Z'],
  ['tisdag, 23 december 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['23 joulukuuta 2025, 16:58', '2025-12-23T16:58:00.000Z'],
  ['23 Aralık 2025, Salı', '2025-12-23'],
  ['2025. december 23., kedd, 16:58', '2025-12-23T16:58:00.000Z'],
  ['2025年12月23日 星期二 16:58', '2025-12-23T16:58:00.000Z'],
  ['2025년 12월 23일, 화요일', '2025-12-23'],
  ['2025年 12月 23日 16:58', '2025-12-23T16:58:00.000Z'],
  ['2025年 12月 23日(火) 16:58', '2025-12-23T16:58:00.000Z'],
  ['25年 12月 23日 16:58', '2025-12-23T16:58:00.000Z'],
  // Written by hand.
  ['2025年12月23日(火)', '2025-12-23'],
  ['2025. december 23.', '2025-12-23'],
])('%s has a known form', (text, date) => {
  const column = new ColumnProfile('Completion Date', 'Completion Date');
  column.add(text);
  expect(column.dateFormats).toHaveLength(1);
  expect(convertDate(text, column.dateFormats)).toBe(date);
});

it('of dates that may begin with their years nobody knows the form', () => {
  const formatsOf = (texts: readonly string[]): readonly string[] => {
    const column = new ColumnProfile('Completion Date', 'Completion Date');
    for (const text of texts) column.add(text);
    return column.dateFormats;
  };
  const days = ['03', '08', '11', '14', '19', '22', '27'];
  expect(formatsOf(days.map((day, index) => `${24 + (index % 2)}/05/${day}`))).toEqual([]);
  expect(formatsOf(days.map((day, index) => `${day}/05/${24 + (index % 2)}`))).toEqual(['D/M/YY']);
});
