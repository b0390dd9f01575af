import { expect, it } from 'vitest';
import { unmatchedLines } from '../../../../bin/importer/command/lines/unmatched.ts';

it('courses and learners that the platform does not know, each with its rows and days', () => {
  const days = { from: '2018-05-05', to: '2019-11-30' };
  const courses = [
    { name: 'OLD-1', reason: 'external_course_id_not_mapped', rows: 2, from: '2015-03-01', to: days.to },
  ];
  const learners = [{ name: 'left@acme.test', reason: 'user_not_found', rows: 2, ...days }];
  expect(unmatchedLines({ rows: 3, courses, learners })).toEqual([
    'course or learner unknown, inactive or not yet registered: 3 of the rejected rows',
    '  1 course, with 2 rows',
    '          2  OLD-1, 2015-03-01 … 2019-11-30 (external_course_id_not_mapped)',
    '  1 learner, with 2 rows',
    '          2  left@acme.test, 2018-05-05 … 2019-11-30 (user_not_found)',
  ]);
  expect(unmatchedLines({ rows: 0, courses: [], learners: [] })).toEqual([]);
});
