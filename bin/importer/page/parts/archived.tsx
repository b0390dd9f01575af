/** Records that the archive keeps: of whom, why, and since which migration. */
import { archiveHref, runHref } from '../state/address.ts';
import { dayOf, TEXT } from '../texts/index.ts';
import type { ShownLearner } from '../worker/history.ts';
import { useTitles } from './course-picker.tsx';
import { courseOf, personOf, progressOf, whyOf } from './record-words.ts';
import { Table } from './table.tsx';

const text = TEXT.archive;

/** @param count of what is kept of the run; without any there is nothing to see */
export const ToArchive = ({ run_id, count }: { readonly run_id: string; readonly count: number }) =>
  count === 0 ? null : <a href={archiveHref(run_id)}>{text.ofRun}</a>;

interface Props {
  readonly caption: string;
  readonly archived: ShownLearner['archived'];
}

export function Archived({ caption, archived }: Props) {
  const titles = useTitles();
  return (
    <Table
      caption={caption}
      head={[TEXT.review.person, TEXT.check.course, TEXT.learner.progress, TEXT.rejected.why, TEXT.learner.from]}
      rows={archived}
      cells={({ record, errors, archived_at, run_id }) => {
        const from = TEXT.learner.ofRun(dayOf(archived_at));
        return [
          personOf(record),
          courseOf(record, titles),
          progressOf(record),
          errors.map(({ error_code, field }) => whyOf(record, error_code, field)).join(' '),
          { text: from, node: () => (run_id === null ? from : <a href={runHref(run_id)}>{from}</a>) },
        ];
      }}
    />
  );
}
