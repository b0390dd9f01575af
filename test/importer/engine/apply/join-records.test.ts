/** Records that are made of several rows. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { recordJoin } from '../../../../bin/importer/engine/apply/join-records.ts';

describe('recordJoin', () => {
  const join = recordJoin({ record: { external_record_id: 'Id' } });
  const module = (platform_class_id: number, viewed_at: string) => ({
    progress: { classes: [{ platform_class_id, viewed_at }] },
  });

  it('the rows of a record unite their classes, each at its first view', () => {
    const joined = [module(1, '2024-01-02'), module(2, '2024-01-03'), module(1, '2024-01-01')].reduce<object>(
      (a, b) => join(a as never, b),
      {},
    );
    expect(joined).toEqual({
      progress: {
        classes: [
          { platform_class_id: 1, viewed_at: '2024-01-01' },
          { platform_class_id: 2, viewed_at: '2024-01-03' },
        ],
      },
    });
  });

  it('the joined record keeps the best attempt, and the date of that one', () => {
    const attempt = (status: string, taken_at: string, score_pct: number) => ({
      assessment: { status, taken_at, score_pct },
    });
    expect(join(attempt('failed', '2024-01-01', 40), attempt('passed', '2024-02-01', 90))).toEqual(
      attempt('passed', '2024-02-01', 90),
    );
    expect(join(attempt('passed', '2024-02-01', 80), attempt('failed', '2024-03-01', 90))).toEqual(
      attempt('passed', '2024-02-01', 90),
    );
    expect(join(attempt('passed', '2024-02-01', 80), attempt('passed', '2023-03-01', 60))).toEqual(
      attempt('passed', '2023-03-01', 80),
    );
  });

  it('the joined record keeps a value that cannot be read, so that it is rejected', () => {
    expect(join({ progress: { completion_pct: 40 } }, { progress: { completion_pct: 'most' } })).toEqual({
      progress: { completion_pct: 'most' },
    });
  });

  it('the joined record takes the value that the mapping picks', () => {
    const last = recordJoin({
      record: { external_record_id: 'Id', 'progress.completed_at': { column: 'A', pick: 'latest' } },
    });
    expect(last({ progress: { completed_at: '2024-01-01' } }, { progress: { completed_at: '2024-02-01' } })).toEqual({
      progress: { completed_at: '2024-02-01' },
    });
  });
});
