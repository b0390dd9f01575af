/** The classes that a record lists: those of the course, foreign ones, repeated ones. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { plan, record } from './fixtures.ts';
import { DERIVED, FOREIGN, progressTable, TWICE, viewed } from './progress-table.ts';

describe('the classes of a record', () => {
  progressTable([
    ['a class listed twice counts once', { progress: { classes: viewed(1001, 1001) } }, 33.33, DERIVED, TWICE],
    [
      'a foreign class listed twice gives both warnings',
      { progress: { classes: viewed(5, 5, 1001) } },
      33.33,
      DERIVED,
      FOREIGN,
      TWICE,
    ],
  ]);

  it('a class listed twice counts by its first entry', () => {
    const classes = [
      { platform_class_id: 1001, viewed_at: '2024-05-01' },
      { platform_class_id: 1001, viewed_at: '2024-01-01' },
    ];
    const { write } = plan(record({ progress: { completion_pct: 50, classes } }));
    expect(write?.contribution.classes).toEqual([{ platform_class_id: 1001, viewed_at: '2024-05-01T00:00:00.000Z' }]);
  });

  it('a first entry without a date keeps a later one with a date out', () => {
    const classes = [{ platform_class_id: 1001 }, { platform_class_id: 1001, viewed_at: '2024-01-01' }];
    expect(plan(record({ progress: { completion_pct: 50, classes } })).write?.contribution.defaulted_classes).toEqual([
      1001,
    ]);
  });

  it('a foreign class listed twice is named once', () => {
    const { warnings } = plan(record({ progress: { completion_pct: 50, classes: viewed(77, 77) } })).result;
    for (const { message } of warnings) expect(message.match(/77/g)).toHaveLength(1);
  });

  it('one warning names all the classes concerned: the first 10, the rest counted', () => {
    const foreign = Array.from({ length: 14 }, (_, position) => 10 + position);
    const [warning] = plan(record({ progress: { completion_pct: 50, classes: viewed(...foreign) } })).result.warnings;
    expect(warning?.message).toContain('19 and 4 more');
    expect(warning?.message).not.toContain('20');
  });
});
