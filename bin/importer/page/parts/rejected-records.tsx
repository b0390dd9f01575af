import { valueAt } from '../../engine/ground/fields.ts';
import { shown } from '../../engine/ground/text.ts';
import { TEXT } from '../texts/index.ts';
import type { RejectedCause } from '../worker/migrations.ts';
import { Card } from './controls.tsx';
import { courseOf, personOf, reasonOf, sentOf } from './record-words.ts';
import { Table } from './table.tsx';

interface Props {
  readonly causes: readonly RejectedCause[];
  readonly titles: ReadonlyMap<number, string>;
}

/** Why records were rejected, or would be: each cause once, with its first record. */
export function RejectedRecords({ causes, titles }: Props) {
  if (causes.length === 0) return null;
  const title = TEXT.migrations.rejected(causes.reduce((sum, { count }) => sum + count, 0));
  return (
    <Card title={title}>
      <Table
        caption={title}
        head={[TEXT.rejected.why, TEXT.runs.total, TEXT.migrations.example]}
        rows={causes}
        cells={({ record, code, field, count }) => [
          reasonOf({ code, field, column: undefined, value: valueOf(record, code, field) }),
          count,
          [personOf(record), courseOf(record, titles), shown(sentOf(record))]
            .filter((words) => words !== '')
            .join(' · '),
        ]}
      />
    </Card>
  );
}

/** The value that was rejected: of the member that the error names, else the person. */
function valueOf(record: unknown, code: string, field: string | undefined): string {
  if (field === undefined) return code.includes('user') ? personOf(record) : '';
  const value = valueAt(record, field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
