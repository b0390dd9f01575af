import { previewChecks } from '../../engine/mapping/preview-lines.ts';
import { shown } from '../../engine/text.ts';
import { useStore } from '../state/store.ts';
import { TEXT } from '../texts.ts';
import type { Report } from '../worker/run.ts';
import { Notice } from './notice.tsx';
import { Figures, Table } from './table.tsx';

const text = TEXT.check;

/** What an import would write: figures, years, courses, and what looks unusual. */
export function PreviewSummary({ report }: { readonly report: Report }) {
  const { mapping, catalog } = useStore();
  const { preview, years, read } = report;
  if (preview === undefined) return null;
  const title = report.run_id === null ? text.would : text.wrote;
  const { learners, courses, completed, in_progress, not_started, certified } = preview;
  const figures = {
    [text.learners]: learners,
    [text.courses]: courses.length,
    [text.completed]: completed,
    [text.inProgress]: in_progress,
    [text.notStarted]: not_started,
    [text.certified]: certified,
  };
  const checks = previewChecks(preview, mapping);
  const titles = new Map(catalog.map(({ platform_course_id, title }) => [platform_course_id, title]));
  return (
    <>
      {checks.length > 0 && report.run_id === null && <Notice kind="warning" title={text.warnings} points={checks} />}
      <section class="card">
        <h2>{title}</h2>
        <div class="pair">
          <Figures caption={title} figures={figures} />
          <Years years={years} />
        </div>
        <details>
          <summary>{text.perCourse}</summary>
          <Table
            caption={text.perCourse}
            head={[text.course, text.records, text.completed, text.certified]}
            rows={courses}
            cells={(each) => [
              `${each.platform_course_id} ${titles.get(each.platform_course_id) ?? ''}`,
              each.records,
              each.completed,
              each.certified,
            ]}
          />
        </details>
        <details>
          <summary>{text.read}</summary>
          {read.map((line) => (
            <p>{shown(line)}</p>
          ))}
        </details>
      </section>
    </>
  );
}

/** A bar for each year; the same as a table for people who cannot see it. */
function Years({ years }: { readonly years: Report['years'] }) {
  const entries = Object.entries(years).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return null;
  const most = Math.max(...entries.map(([, count]) => count));
  return (
    <table class="years">
      <caption>{text.years}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">{text.year}</th>
          <th scope="col">{text.records}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(([year, count]) => (
          <tr>
            <th scope="row">{year}</th>
            <td>
              <meter min={0} max={most} value={count} aria-hidden="true" />
            </td>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
