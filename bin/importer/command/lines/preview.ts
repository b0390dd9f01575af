/** What a dry run would write, and what to check before the import. */
import { ownValue } from '../../engine/ground/own-value.ts';
import { countLine, grouped, rowsText } from '../../engine/ground/text.ts';
import type { Note } from '../../engine/language/notes.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import { FIRST_LIKELY_YEAR, type OddityCode, type Preview, type Sample } from '../../engine/run/preview.ts';
import { saidInWords } from '../advice.ts';

const ODDITIES: Readonly<Record<OddityCode, string>> = {
  date_in_the_future: 'a date is in the future',
  date_before_first_year: `a date is before ${FIRST_LIKELY_YEAR}`,
  started_after_completion: 'progress.started_at is after progress.completed_at',
  started_after_last_activity: 'progress.started_at is after progress.last_activity_at',
  exam_before_start: 'assessment.taken_at is before progress.started_at',
  completion_date_below_100: 'progress.completed_at is a date, although progress.completion_pct is below 100',
  passed_below_100: 'assessment.status is passed, although progress.completion_pct is below 100',
  passed_with_low_score: 'assessment.status is passed, although assessment.score_pct is below 50',
  not_passed_with_full_score: 'assessment.status is not passed, although assessment.score_pct is 100',
};

const MOST_COURSES = 10;
const MOST_VALUES = 10;

export function previewLines(preview: Preview, mapping: Mapping | undefined): string[] {
  const checks = previewChecks(preview, mapping);
  return [
    'what would be written',
    ...figuresOf(preview),
    ...(checks.length === 0 ? [] : ['please check', ...checks.map((check) => `  - ${check}`)]),
    ...(preview.samples.length === 0 ? [] : ['some rows: what they become, and their learners before and after']),
    ...preview.samples.flatMap(sampleLines),
  ];
}

const MOST_CELLS = 160;

function sampleLines({ line, cells, record, before, after }: Sample): string[] {
  const row = cells.filter((cell) => cell.trim() !== '').join(' · ');
  const shown = row.length > MOST_CELLS ? `${row.slice(0, MOST_CELLS)}…` : row;
  const change = after === undefined ? 'rejected' : `${stateOf(before)} → ${stateOf(after)}`;
  return [`  line ${line}: ${shown}`, `    ${JSON.stringify(record)}`, `    ${change}`];
}

function stateOf(progress: Sample['after']): string {
  if (progress === null || progress === undefined) return 'nothing';
  const { completion_pct, completed_at, certified_at } = progress;
  const dates = [
    ...(completed_at === null ? [] : [`completed on ${completed_at.slice(0, 10)}`]),
    ...(certified_at === null ? [] : [`certified on ${certified_at.slice(0, 10)}`]),
  ];
  return [`${completion_pct} %`, ...dates].join(', ');
}

function figuresOf(preview: Preview): string[] {
  const { learners, courses, completed, in_progress, not_started, certified, dates } = preview;
  const figures: [number, string][] = [
    [learners, 'learners'],
    [courses.length, 'courses'],
    [completed, 'completed'],
    [in_progress, 'in progress'],
    [not_started, 'not started'],
    [certified, 'certified'],
  ];
  const shown = courses.slice(0, MOST_COURSES);
  return [
    ...figures.map(([count, name]) => countLine(count, name)),
    ...shown.map(
      ({ platform_course_id, records, completed, certified }) =>
        `  course ${platform_course_id}: ${grouped(records)} ${records === 1 ? 'record' : 'records'}, ${grouped(completed)} completed, ${grouped(certified)} certified`,
    ),
    ...(courses.length > shown.length
      ? [`  … and ${courses.length - shown.length} more courses (--json lists all)`]
      : []),
    ...Object.entries(dates).map(([name, { from, to }]) => `  ${name}: ${from.slice(0, 10)} … ${to.slice(0, 10)}`),
  ];
}

/** The member of a record that gives a date that is written. */
const SOURCES: Readonly<Record<string, string>> = {
  started_at: 'progress.started_at',
  last_activity_at: 'progress.last_activity_at',
  completed_at: 'progress.completed_at',
  certified_at: 'assessment.taken_at',
};

/** What a person should look at before an import, in sentences. */
function previewChecks(
  { dated_today, renewals, oddities, values_to_check, local_times }: Preview,
  mapping: Mapping | undefined,
): string[] {
  const shown = values_to_check.slice(0, MOST_VALUES);
  const isLeftOut = (member: string): boolean =>
    mapping !== undefined && ownValue(mapping.record, member) === undefined;
  return [
    ...Object.entries(dated_today).map(([name, count]) => {
      const member = ownValue(SOURCES, name) ?? 'progress.classes';
      const why = isLeftOut(member) ? ` The mapping has nothing for ${member}.` : '';
      return `${name}: ${grouped(count)} ${count === 1 ? 'record has' : 'records have'} no date and would be dated today.${why}`;
    }),
    ...renewalLines(renewals),
    ...oddities.map(
      ({ what, count, line }) =>
        `${ODDITIES[what]} (${grouped(count)} ${count === 1 ? 'record' : 'records'}, first on line ${line})`,
    ),
    ...shown.map(noteText),
    ...(values_to_check.length > shown.length
      ? [
          `${values_to_check.length - shown.length} more values that no rule names or that cannot be read (--json lists all)`,
        ]
      : []),
    ...(local_times.count === 0
      ? []
      : [
          `${grouped(local_times.count)} times have no zone and are read as ${local_times.zone} ("time_zone" of the mapping).`,
        ]),
  ];
}

function noteText({ kind, field, column, value, becomes, expected, count, line }: Note): string {
  const rows = `${rowsText(count)}, first on line ${line}`;
  if (kind === 'date_derived')
    return `${field}: there is no such date (${rows}); the ${value} of the other dates is taken`;
  const where = `"${value}" in column "${column}" (${rows})`;
  if (expected !== undefined) return `${field}: ${where} is not ${saidInWords(expected)}, and is sent as it is`;
  if (kind === 'not_a_class') return `${field}: ${where} is not a class of its course`;
  return becomes === undefined
    ? `${field}: no rule of the mapping names ${where}, which is left as it is`
    : `${field}: no rule of the mapping names ${where}, which becomes ${becomes}`;
}

/** The preview as JSON: what is odd, and what a value should have been, are in words. */
export const previewJson = (preview: Preview) => ({
  ...preview,
  oddities: preview.oddities.map((oddity) => ({ ...oddity, what: ODDITIES[oddity.what] })),
  values_to_check: preview.values_to_check.map(({ expected, ...note }) => ({
    ...note,
    ...(expected && { expected: saidInWords(expected) }),
  })),
});

/** How many learners have how many completions, and what is shown; empty without renewals. */
function renewalLines(renewals: Preview['renewals']): string[] {
  if (renewals.length === 0) return [];
  const counts = renewals.map(
    ({ completions, learners }) =>
      `${grouped(learners)} ${learners === 1 ? 'learner has' : 'learners have'} ${completions} completions of one course`,
  );
  return [
    `${counts.join(', ')}: each is a record of its own in the transcript, and the platform shows the latest completion and the latest certificate.`,
  ];
}
