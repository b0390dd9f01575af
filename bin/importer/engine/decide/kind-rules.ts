/** What a kind of rows is suggested to become: an ordered table. A suggestion writes nothing: a person confirms it. */
import { isNothing } from '../dates/date-forms.ts';
import { IMPORT_DAY } from '../language/findings.ts';
import { isOfShape } from '../profile/shaped-rows.ts';
import { ACTIVITY_RULES } from './activity-rules.ts';
import { ENDED_RULES } from './ended-rules.ts';
import type { KindFacts } from './kind-facts.ts';
import { type Rule, rowsOf, where } from './rule.ts';
import { certified, completed, failed, inProgress, leftOut, nothing, type Suggested } from './suggested.ts';
import { BEGUN, SEVERAL_PERCENTAGES, UNFINISHED } from './unfinished-rules.ts';

type KindRule = Rule<KindFacts, Suggested>;

const row = rowsOf<KindFacts, Suggested>(nothing);

/** Where no column may have the day, that of the import stands for it. */
const withoutDays = (needs: KindRule['needs'], says: KindRule['says']): KindRule =>
  row({ name: 'file_without_days', example: 'Status: Completed / Status: In progress', needs, says });

/** Whatever the words say. */
const CELLS: readonly KindRule[] = [
  row({
    name: 'day_below_the_course',
    example: '@table: a cell of a course that is nothing but a date completes it, beside cells that say more',
    needs: ({ cellOfCourse, parts }) => cellOfCourse !== undefined && parts.length === 1,
    says: ({ cellOfCourse }) => completed(cellOfCourse),
  }),
  row(
    {
      name: 'item_is_no_course',
      example: 'Content Type: Article; Completion date: 2024-01-02 / Content Type: Course; Completion date: 2024-01-03',
      needs: ({ otherItem }) => otherItem !== undefined,
    },
    ({ otherItem }) => ({ column: otherItem?.name ?? '', text: otherItem?.is ?? '' }),
  ),
  row(
    {
      name: 'attended_is_no_completion',
      example: 'Attendance: Attended; First: 2024-01-02; Second: 2024-01-03 / Attendance: Absent; First: ; Second: ',
      needs: ({ attended }) => attended !== undefined,
    },
    ({ attended }) => ({ column: attended?.name ?? '', text: attended?.is ?? '' }),
  ),
  row(
    {
      name: 'certificate_on_no_day',
      example: 'Certified: Yes; Status:  / Certified: No; Status: Incomplete',
      needs: ({ certificate }) => certificate !== undefined,
    },
    ({ certificate }) => ({ column: certificate?.name ?? '' }),
  ),
  row(
    {
      name: 'word_unknown',
      example: 'Status: Frobnicated; Completion date: 2024-01-02 / Status: Completed; Completion date: 2024-01-03',
      needs: ({ unknownWord }) => unknownWord !== undefined,
    },
    ({ unknownWord }) => ({ column: unknownWord?.name ?? '', text: unknownWord?.is ?? '' }),
  ),
  row({
    name: 'cell_is_no_date',
    example: 'Completion date: 2024-13-45 / Completion date: 2024-01-02',
    needs: ({ hasNoDate }) => hasNoDate,
  }),
  row({
    name: 'cell_is_no_percentage',
    example: 'Progress: half / Progress: 50 % / Progress: 100 %',
    needs: ({ hasNoNumber }) => hasNoNumber,
  }),
  ...ENDED_RULES,
  row(
    {
      name: 'one_result_is_missing',
      example:
        'Theory: Passed; Practice: ; Assessment date: 2024-01-02 / Theory: Passed; Practice: Passed; Assessment date: 2024-01-03 / Theory: Failed; Practice: Failed; Assessment date: 2024-01-04',
      needs: ({ emptyResult }) => emptyResult !== undefined,
    },
    ({ emptyResult }) => ({ column: emptyResult?.name ?? '' }),
  ),
  row(
    {
      name: 'result_says_no_pass',
      example:
        'Selection: Passed; Exam result: Not attempted; Date: 2024-01-02 / Selection: Passed; Exam result: Passed; Date: 2024-01-03',
      needs: ({ untakenExam }) => untakenExam !== undefined,
    },
    ({ untakenExam }) => ({ column: untakenExam?.name ?? '', text: untakenExam?.is ?? '' }),
  ),
  row({
    name: 'percentages_contradict',
    example: 'Progress: 120 % / Progress: 100 %',
    needs: ({ percent }) => percent === 'mixed' || percent === 'above',
  }),
];

const FAILED: readonly KindRule[] = [
  row({
    name: 'passed_and_failed',
    example:
      'Theory: Passed; Practice: Failed; Assessment date: 2024-01-02 / Theory: Failed; Practice: Passed; Assessment date: 2024-01-03',
    needs: ({ meant }) => meant.has('passed'),
  }),
  row({
    name: 'failed_on_a_day',
    example: 'Status: Failed; Completion date: 2024-01-02',
    needs: ({ examDay }) => examDay !== undefined,
    says: ({ examDay, percent, percentColumn }) =>
      failed(examDay, percent === 'between' ? (percentColumn ?? null) : null),
  }),
  row({
    name: 'failed_on_several_days',
    example: 'Status: Failed; First: 2024-01-02; Second: 2024-01-03',
    needs: ({ hasDate }) => hasDate,
  }),
  withoutDays(
    ({ isOutcomeDayless }) => isOutcomeDayless,
    () => failed(IMPORT_DAY),
  ),
  row({
    name: 'failed_without_a_day',
    example: 'Survey: Failed; Progress: 50 % / Survey: Passed; Progress: 100 %',
    needs: () => true,
  }),
];

const FINISHED: readonly KindRule[] = [
  row({
    name: 'done_and_not_done',
    example:
      'Completion status: incomplete; Success status: passed; Completion date: 2024-01-02 / Completion status: completed; Success status: passed; Completion date: 2024-01-03',
    needs: ({ isUnfinished }) => isUnfinished,
  }),
  row({
    name: 'done_below_the_whole',
    example:
      'Status: Completed; Progress: 50 %; Completion date: 2024-01-02 / Status: Completed; Progress: 100 %; Completion date: 2024-01-03',
    needs: ({ percent }) => percent === '0' || percent === 'between',
  }),
  row({
    name: 'day_of_a_certificate',
    example: 'Certificate: First Aid; Status: Valid; Date obtained: 2024-01-02',
    needs: ({ isIssued }) => isIssued,
    says: ({ completedAt }) => certified(completedAt),
  }),
  row({
    name: 'passed_on_the_last_activity',
    example: 'Status: Passed; Last access: 2024-01-02',
    needs: ({ isPassed, examDay, lastActivity }) => isPassed && examDay !== undefined && examDay === lastActivity,
    says: ({ examDay }) => certified(examDay),
  }),
  row({
    name: 'words_say_passed',
    example: 'Status: Passed; Completion date: 2024-01-02',
    needs: ({ isPassed, examDay }) => isPassed && examDay !== undefined,
    says: ({ examDay }) => certified(examDay),
  }),
  row({
    name: 'completed_on_the_last_activity',
    example: 'Status: Completed; Last access: 2024-01-02',
    needs: ({ isPassed, completionDay, lastActivity }) =>
      !isPassed && completionDay !== undefined && completionDay === lastActivity,
    says: ({ completionDay }) => completed(completionDay),
  }),
  row({
    name: 'words_say_completed',
    example: 'Status: Completed; Completion date: 2024-01-02',
    needs: ({ isPassed, completionDay }) => !isPassed && completionDay !== undefined,
    says: ({ completionDay }) => completed(completionDay),
  }),
  row({
    name: 'done_on_several_days',
    example: 'Status: Completed; First: 2024-01-02; Second: 2024-01-03',
    needs: ({ hasDate }) => hasDate,
  }),
  withoutDays(
    ({ isOutcomeDayless }) => isOutcomeDayless,
    ({ isPassed }) => (isPassed ? certified : completed)(IMPORT_DAY),
  ),
  row({
    name: 'done_without_a_day',
    example: 'Status: Completed; Completion date:  / Status: Completed; Completion date: 2024-01-02',
    needs: () => true,
  }),
];

/** The last rule, which fits every kind. */
export const NEITHER = row({
  name: 'neither_progress_nor_day',
  example: 'Completion date: / Completion date: 2024-01-02',
  needs: () => true,
  says: leftOut,
});

/** No word says how far a learner is. */
const SILENT: readonly KindRule[] = [
  row({
    name: 'percentage_of_course_or_exam',
    example: '@export: canvas/gradebook-german-excel.csv',
    needs: ({ mayBeScore }) => mayBeScore,
  }),
  row({
    name: 'below_the_whole_with_a_day',
    example: 'Progress: 50 %; Completion date: 2024-01-02',
    needs: ({ percent, isDated }) => percent === 'between' && isDated,
  }),
  SEVERAL_PERCENTAGES,
  row({
    name: 'percentage_between',
    example: 'Progress: 50 % / Progress: 100 %',
    needs: ({ percent }) => percent === 'between',
    says: inProgress,
  }),
  row(
    {
      name: 'day_beside_not_done',
      example:
        'Exam result: Not attempted; Completion date: 2024-01-02 / Exam result: Passed; Completion date: 2024-01-03',
      needs: ({ notDone }) => notDone !== undefined,
    },
    ({ notDone }) => ({ column: notDone?.name ?? '', text: notDone?.is ?? '' }),
  ),
  row({
    name: 'the_whole_with_a_day',
    example: 'Progress: 100 %; Completion date: 2024-01-02',
    needs: ({ percent, completionDay }) => percent === '100' && completionDay !== undefined,
    says: ({ completionDay }) => completed(completionDay),
  }),
  withoutDays(
    ({ percent, isWholeDayless }) => percent === '100' && isWholeDayless,
    () => completed(IMPORT_DAY),
  ),
  row({
    name: 'the_whole_without_a_day',
    example: 'Percentage: 100 % / Percentage: 50 %',
    needs: ({ percent }) => percent === '100',
  }),
  row({
    name: 'zero_with_a_date',
    example: 'Progress: 0 %; Completion date: 2024-01-02 / Progress: 100 %; Completion date: 2024-01-03',
    needs: ({ hasDate, percent }) => hasDate && percent === '0',
  }),
  row({
    name: 'date_of_something',
    example: 'Exam date: 2024-01-02',
    needs: ({ hasDate, completedAt, areSpans }) => hasDate && (completedAt === undefined || areSpans),
  }),
  row({
    name: 'day_of_a_certificate',
    example: 'Issue date: 2024-01-02',
    needs: ({ hasDate, isOfCertificate }) => hasDate && isOfCertificate,
    says: ({ completedAt }) => certified(completedAt),
  }),
  row({
    name: 'completion_below_the_course',
    example: '@table: dates under the names of courses are of completions, if all of them are past',
    needs: ({ hasDate, completedAt }) => hasDate && completedAt !== undefined && isOfShape(completedAt),
    says: ({ completedAt }) => completed(completedAt),
  }),
  row({
    name: 'day_of_completion',
    example: 'Completion date: 2024-01-02',
    needs: ({ hasDate }) => hasDate,
    says: ({ completedAt }) => completed(completedAt),
  }),
  ...ACTIVITY_RULES,
  // `N/A` below a course.
  ...where(({ parts }) => parts.some(({ name, is }) => isOfShape(name) && isNothing(is)), [NEITHER]),
  row({
    name: 'nothing_says_how_far',
    example: 'Department: Sales',
    needs: ({ saysNothing }) => saysNothing,
  }),
  BEGUN,
  row({
    name: 'not_done_where_all_began',
    example: 'Start date: 2024-01-02; When: / Start date: 2024-01-02; When: 2024-01-03',
    needs: ({ areBegun, percent }) => areBegun && percent !== '0',
  }),
  NEITHER,
];

/** The first that fits decides. */
export const KIND_RULES: readonly KindRule[] = [
  ...CELLS,
  ...where(({ isFailed }) => isFailed, FAILED),
  ...where(({ isFinished }) => isFinished, FINISHED),
  ...where(({ isUnfinished }) => isUnfinished, UNFINISHED),
  ...SILENT,
];
