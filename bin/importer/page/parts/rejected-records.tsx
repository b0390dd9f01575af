import { shown } from '../../engine/ground/text.ts';
import { TEXT } from '../texts/index.ts';
import type { RejectedCause } from '../worker/migrations.ts';
import { courseOf, personOf, sentOf, whyOf } from './record-words.ts';
import { TableCard } from './table.tsx';

interface Props {
  readonly causes: readonly RejectedCause[];
  readonly titles: ReadonlyMap<number, string>;
}

/** Why records were rejected or archived, or would be: each cause once, with its first record. */
export const RejectedRecords = ({ causes, titles }: Props) => (
  <>
    {[false, true].map((isArchived) => (
      <Some key={isArchived} causes={causes.filter((cause) => cause.isArchived === isArchived)} titles={titles} />
    ))}
  </>
);

function Some({ causes, titles }: Props) {
  const [first] = causes;
  if (first === undefined) return null;
  const records = TEXT.migrations.records(causes.reduce((sum, { count }) => sum + count, 0));
  const title = `${records} ${first.isArchived ? TEXT.sorted.archived : TEXT.result.rejected}`;
  return (
    <TableCard
      caption={title}
      head={[TEXT.rejected.why, TEXT.runs.total, TEXT.migrations.example]}
      rows={causes}
      cells={({ record, code, field, count }) => [
        whyOf(record, code, field),
        count,
        [personOf(record), courseOf(record, titles), shown(sentOf(record))].filter((words) => words !== '').join(' · '),
      ]}
    />
  );
}
