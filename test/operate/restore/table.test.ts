/** The restored table by the AWS CLI, in place of which calls are recorded. Costs milliseconds. */
import { expect, it } from 'vitest';
import { restoredTable, sourceOf } from '../../../bin/operate/restore/table.ts';

const ARN = 'arn:aws:dynamodb:eu-west-1:111122223333:table/former';
const SOURCE = { name: 'former', arn: ARN, tags: [{ Key: 'stage', Value: 'sandbox' }], pointMs: 1_767_225_600_000 };
const SUMMARY = { SourceTableArn: ARN, RestoreDateTime: '2026-01-01T00:00:00+00:00' };

/** A CLI whose `describe-table` finds a table with this summary; `undefined`: there is none until it is restored. */
function cli(summary: object | undefined) {
  const calls: string[] = [];
  let found = summary;
  const printed: Record<string, (args: readonly string[]) => unknown> = {
    'describe-table': () => {
      if (found === undefined) throw new Error('ResourceNotFoundException');
      return { Table: { TableArn: 'arn:new', ...found } };
    },
    'restore-table-to-point-in-time': () => (found = { RestoreSummary: SUMMARY }),
    'describe-time-to-live': () => ({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }),
    'list-tags-of-resource': () => ({ Tags: [...SOURCE.tags, { Key: 'aws:cloudformation:stack-name', Value: 's' }] }),
    'describe-continuous-backups': () => ({
      ContinuousBackupsDescription: {
        PointInTimeRecoveryDescription: {
          EarliestRestorableDateTime: '2025-12-01T00:00:00.5+00:00',
          LatestRestorableDateTime: 1_767_225_600.7,
        },
      },
    }),
  };
  const run = async (_: string, [, command = '', ...args]: readonly string[]) => {
    calls.push([command, ...args].join(' '));
    return printed[command]?.(args) ?? {};
  };
  return { calls, run };
}

it.each([
  ['a new one', undefined],
  ['one of an interrupted restore', { RestoreSummary: SUMMARY }],
  ['one whose time is printed in seconds', { RestoreSummary: { ...SUMMARY, RestoreDateTime: 1_767_225_600 } }],
])('the table is %s: it gets expiry, recovery, protection and the tags', async (_, summary) => {
  const { run, calls } = cli(summary);
  await restoredTable(SOURCE, 'new', run);
  const restores = calls.filter((call) => call.startsWith('restore-table'));
  expect(restores).toEqual(
    summary
      ? []
      : [
          'restore-table-to-point-in-time --source-table-name former --target-table-name new --restore-date-time 2026-01-01T00:00:00.000Z',
        ],
  );
  expect(calls.at(-1)).toBe('tag-resource --resource-arn arn:new --tags [{"Key":"stage","Value":"sandbox"}]');
  const changes = ['update-time-to-live', 'update-continuous-backups', 'update-table'];
  expect(changes.filter((change) => !calls.some((call) => call.startsWith(`${change} --table-name new`)))).toEqual([]);
});

it.each([
  ['a table that no restore made', {}],
  ['a table of another source', { RestoreSummary: { ...SUMMARY, SourceTableArn: `${ARN}-of-globex` } }],
  ['a restore to another time', { RestoreSummary: { ...SUMMARY, RestoreDateTime: '2026-01-01T00:00:01+00:00' } }],
])('%s is left as it is, and the restore stops', async (_, found) => {
  const { run, calls } = cli(found);
  await expect(restoredTable(SOURCE, 'new', run)).rejects.toThrow('The table new is not arn:aws');
  expect(calls).toEqual(['describe-table --table-name new']);
});

it('the source has its ARN and tags, and the point: a date, or the latest whole second that can be restored', async () => {
  const { run } = cli({ TableArn: ARN });
  expect(await sourceOf('former', 'latest', run)).toEqual(SOURCE);
  expect(await sourceOf('former', '2026-01-01T01:00:00+01:00', run)).toEqual(SOURCE);
  expect((await sourceOf('former', '2025-12-01', run)).pointMs).toBe(Date.parse('2025-12-01T00:00:00Z'));
});

it.each([
  [
    '2026-01-01T00:00:02Z',
    'no point 2026-01-01T00:00:02Z. It has those from 2025-12-01T00:00:00.500Z to 2026-01-01T00:00:00.700Z',
  ],
  ['2025-11-30T23:59:59Z', 'no point'],
  ['2025-02-30T00:00:00Z', 'a complete date that exists'],
  ['1', 'not "1"'],
])('a restore to %s stops before it closes anything', async (to, says) => {
  await expect(sourceOf('former', to, cli({ TableArn: ARN }).run)).rejects.toThrow(says);
});
