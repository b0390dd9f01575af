/** What an import would write, or has written: by course and by year before and after, some rows beside their records, and doubts. */
import type { OddityCode, Sample } from '../../engine/run/preview.ts';
import { shown } from '../../engine/ground/text.ts';
import { hrefOf } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { dayOf, percentText, TEXT, zoneName } from '../texts/index.ts';
import type { Pair } from '../worker/changes.ts';
import type { Report } from '../worker/run.ts';
import { Card, Notice } from './controls.tsx';
import { useTitles } from './course-picker.tsx';
import { courseOf, personOf, progressOf } from './record-words.ts';
import { type Cell, Pairs, Table } from './table.tsx';

const text = TEXT.check;
const { states } = TEXT.review;

const pair = ([before, after]: Pair): Cell => ({
  text: String(after),
  is: 'number',
  node: () => text.beforeAfter(before, after),
});

export const pairText = (before: string, after: string): string => (before === after ? after : `${before} → ${after}`);

export function hasOf(progress: Sample['before']): string {
  if (progress === null || progress === undefined) return '–';
  const { completion_pct, completed_at, approved_course } = progress;
  return [
    percentText(completion_pct),
    ...(completed_at === null ? [] : [dayOf(completed_at)]),
    ...(approved_course === 1 ? [text.certified] : []),
  ].join(', ');
}

export const Doubts = ({ report }: { readonly report: Report }) => {
  const points = doubtsOf(report);
  return points.length === 0 ? null : <Notice kind="warning" title={text.warnings} points={points} />;
};

/** What is allowed, and rarely meant. */
function doubtsOf({ preview, summary: { warnings_by_kind } }: Report): string[] {
  const { dated_today, renewals, oddities, local_times } = preview;
  const today = Math.max(0, ...Object.values(dated_today));
  const said = (count: number | undefined, sentence: (count: number) => string): string[] =>
    count === undefined || count === 0 ? [] : [sentence(count)];
  return [
    ...renewals.map(({ completions, learners }) => text.renewals(learners, completions)),
    ...said(today, text.today),
    ...oddities.map(({ what, count, line }) => text.oddIn(oddity(what), count, line)),
    ...said(local_times.count, (count) => text.times(count, zoneName(local_times.zone))),
    ...said(warnings_by_kind['native_progress_kept'], text.kept),
    ...said(warnings_by_kind['assessment_ignored'], text.noExam),
  ];
}

function oddity(what: OddityCode): string {
  if (what === 'date_in_the_future') return text.future;
  return what === 'date_before_first_year' ? text.old : text.odd;
}

/** Said where there is something in it. */
export const archivedPair = (count: number) => (count === 0 ? [] : [[TEXT.sorted.archived, count] as const]);

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Of a run, as the service has them; what is archived is not rejected once more, so that they add up. */
export const RunCounts = ({ counts }: { readonly counts: Readonly<Record<string, number>> }) => {
  const { total = 0, succeeded = 0, failed = 0, archived = 0 } = counts;
  return (
    <Pairs
      caption={TEXT.runs.counts}
      pairs={[
        [TEXT.runs.total, total],
        [TEXT.runs.imported, succeeded],
        [TEXT.runs.rejected, failed - archived],
        ...archivedPair(archived).map(([name, count]) => [capitalized(name), count] as const),
      ]}
    />
  );
};

interface WrittenProps {
  readonly report: Pick<Report, 'changes' | 'run_id'>;
  /** The plan of another person: it has no Review to return to. */
  readonly isPlan?: boolean;
}

/** By course and by year, before and after. Of a check, with the courses whose exam no row has passed. */
export function Written({ report, isPlan = false }: WrittenProps) {
  const { changes, run_id } = report;
  const { catalog } = useStore();
  const titles = useTitles();
  if (changes.courses.length === 0) return null;
  const exams = new Set(catalog.flatMap(({ platform_course_id, has_exam }) => (has_exam ? [platform_course_id] : [])));
  const certified = (course: number, [before, after]: Pair, completed: Pair): Cell =>
    run_id === null && !isPlan && after === 0 && completed[1] > 0 && exams.has(course)
      ? { text: text.noPassed, is: 'number', node: () => <NoPassed /> }
      : pair([before, after]);
  const years = Object.entries(changes.years).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = (
    <>
      <Table
        caption={text.perCourse}
        head={[text.course, states.completed, states.in_progress, text.certified]}
        rows={changes.courses}
        cells={(each) => [
          titles.get(each.course) ?? String(each.course),
          pair(each.completed),
          pair(each.in_progress),
          certified(each.course, each.certified, each.completed),
        ]}
      />
      <details>
        <summary>{text.perYear}</summary>
        <Table
          caption={text.perYear}
          head={[text.year, states.completed]}
          rows={years}
          cells={([year, both]) => [year, pair(both)]}
        />
      </details>
    </>
  );
  // After the import it is what was seen before it: the result stays on one screen.
  if (run_id === null) return <Card title={text.perCourse}>{parts}</Card>;
  return (
    <details class="card">
      <summary>{text.wrote}</summary>
      {parts}
    </details>
  );
}

const NoPassed = () => (
  <span class="hint wraps">
    {text.noPassed} <a href={hrefOf('review')}>{TEXT.change}</a>
  </span>
);

const MOST_SHOWN = 3;

/** A few rows beside what they become, those first that change something; and a table of more. */
export function Samples({ report: { preview } }: { readonly report: Report }) {
  const titles = useTitles();
  const { samples } = preview;
  const written = samples.filter(({ after }) => after !== undefined && after !== null);
  if (written.length === 0) return null;
  // Of rows that were joined no cells are left.
  const hasCells = samples.some(({ cells }) => cells.length > 0);
  const changing = written.filter(({ before, after }) => hasOf(before) !== hasOf(after));
  const first = [...changing, ...written.filter((each) => !changing.includes(each))].slice(0, MOST_SHOWN);
  return (
    <Card title={text.samples}>
      <ul class="samples">
        {first.map(({ line, cells, record, before, after }) => (
          <li>
            <p>
              <span class="hint">{`${personOf(record)}, ${TEXT.atLine(line)}`}</span>
              {cells.length === 0 ? progressOf(record) : shown(cells.filter((cell) => cell !== '').join(' · '))}
            </p>
            <p>
              <span class="hint">{courseOf(record, titles)}</span>
              {changed(before, after)}
            </p>
          </li>
        ))}
      </ul>
      <details>
        <summary>{text.more(samples.length)}</summary>
        <Table
          caption={text.samples}
          head={[
            TEXT.review.line,
            ...(hasCells ? [text.row] : []),
            TEXT.review.person,
            text.course,
            text.becomes,
            text.has,
          ]}
          rows={samples}
          cells={({ line, cells, record, before, after }) => [
            String(line),
            ...(hasCells ? [cells.filter((cell) => cell !== '').join(' · ') || '–'] : []),
            personOf(record),
            courseOf(record, titles),
            progressOf(record),
            after === undefined || after === null ? TEXT.sorted.failed : pairText(hasOf(before), hasOf(after)),
          ]}
        />
      </details>
    </Card>
  );
}

function changed(before: Sample['before'], after: Sample['after']) {
  const [former, now] = [hasOf(before), hasOf(after)];
  return former === now ? (
    `${now}, ${TEXT.sorted.unchanged}`
  ) : (
    <>
      {former} → <strong>{now}</strong>
    </>
  );
}
