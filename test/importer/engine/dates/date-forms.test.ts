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
])('%s has a known form', (text, date) => {
  const column = new ColumnProfile('Completion Date', 'Completion Date');
  column.add(text);
  expect(column.dateFormats).toHaveLength(1);
  expect(convertDate(text, column.dateFormats)).toBe(date);
});
