import * as v from 'valibot';
import { DATE_RULE, instant, parseInstant } from '../../../functions/records/instants.ts';
import { broken } from '../../../functions/records/text.ts';
import type { Cli } from '../aws-cli.ts';

/** The CLI prints times as text or as seconds, as it is configured. */
const TIME = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((time) => (typeof time === 'number' ? time * 1000 : Date.parse(time))),
);
const SUMMARY = v.object({ SourceTableArn: v.optional(v.string(), ''), RestoreDateTime: TIME });
const TABLE = v.object({ Table: v.object({ TableArn: v.string(), RestoreSummary: v.optional(SUMMARY) }) });
const BACKUPS = v.object({
  ContinuousBackupsDescription: v.object({
    PointInTimeRecoveryDescription: v.object({
      EarliestRestorableDateTime: v.optional(TIME, 0),
      LatestRestorableDateTime: v.optional(TIME),
    }),
  }),
});
const TIME_TO_LIVE = v.object({ TimeToLiveDescription: v.object({ TimeToLiveStatus: v.string() }) });
const TAGS = v.array(v.object({ Key: v.string(), Value: v.string() }));
const TAGGED = v.object({ Tags: TAGS });

/** The table to restore from, and the point: what must be known before that table is gone. */
export const SOURCE = v.object({ name: v.string(), arn: v.string(), tags: TAGS, pointMs: v.number() });
export type Source = v.InferOutput<typeof SOURCE>;

/** @param to `latest`, or a date. @throws Error if the table has no such point: found now, the stack is still open */
export async function sourceOf(name: string, to: string, cli: Cli): Promise<Source> {
  const aws = (task: string, ...args: string[]) => cli(task, ['dynamodb', ...args]);
  const { TableArn: arn } = v.parse(TABLE, await aws('read the table', 'describe-table', '--table-name', name)).Table;
  const { Tags } = v.parse(TAGGED, await aws('read the tags', 'list-tags-of-resource', '--resource-arn', arn));
  const tags = Tags.filter(({ Key }) => !Key.startsWith('aws:'));
  const read = await aws('find the points', 'describe-continuous-backups', '--table-name', name);
  const { PointInTimeRecoveryDescription } = v.parse(BACKUPS, read).ContinuousBackupsDescription;
  const { EarliestRestorableDateTime: first, LatestRestorableDateTime: last } = PointInTimeRecoveryDescription;
  if (last === undefined) throw new Error(`The table ${name} has no point-in-time recovery.`);
  const pointMs = wholeSecond(to === 'latest' ? last : pointOf(to));
  if (to === 'latest' || (pointMs >= wholeSecond(first) && pointMs <= last)) return { name, arn, tags, pointMs };
  throw new Error(`The table ${name} has no point ${to}. It has those from ${instant(first)} to ${instant(last)}.`);
}

/** The milliseconds of a date, without an offset in UTC. @throws SyntaxError if it is none */
export function pointOf(to: string): number {
  const point = parseInstant(to);
  if (point === undefined) throw new SyntaxError(`--to must be latest, or it ${broken(DATE_RULE, to)}.`);
  return Date.parse(point);
}

const wholeSecond = (ms: number) => ms - (ms % 1000);

/** Restores with expiry, recovery, protection, tags, unless done. @throws Error if the table is another one */
export async function restoredTable(source: Source, table: string, cli: Cli): Promise<void> {
  const aws = (task: string, ...args: string[]) => cli(task, ['dynamodb', ...args]);
  const named = ['--table-name', table];
  const described = () => aws('look for the table', 'describe-table', ...named);
  const found = await described().catch((error: unknown) => {
    if (error instanceof Error && error.message.includes('ResourceNotFoundException')) return undefined;
    throw error;
  });
  if (found === undefined) {
    const tables = ['--source-table-name', source.name, '--target-table-name', table];
    const when = ['--restore-date-time', new Date(source.pointMs).toISOString()];
    await aws('restore the table', 'restore-table-to-point-in-time', ...tables, ...when);
  }
  const { TableArn, RestoreSummary } = v.parse(TABLE, found ?? (await described())).Table;
  if (RestoreSummary?.SourceTableArn !== source.arn || RestoreSummary.RestoreDateTime !== source.pointMs)
    throw new Error(
      `The table ${table} is not ${source.arn} at ${new Date(source.pointMs).toISOString()}, and was left as it is. Delete the note of this restore, and start it again: it takes a new name.`,
    );
  await aws('wait for the table', 'wait', 'table-exists', ...named);
  const expiry = v.parse(TIME_TO_LIVE, await aws('read the expiry', 'describe-time-to-live', ...named));
  if (expiry.TimeToLiveDescription.TimeToLiveStatus === 'DISABLED') {
    const enabled = ['--time-to-live-specification', 'Enabled=true,AttributeName=expires_at_seconds'];
    await aws('set the expiry', 'update-time-to-live', ...named, ...enabled);
  }
  const recovery = ['--point-in-time-recovery-specification', 'PointInTimeRecoveryEnabled=true'];
  await aws('set the recovery', 'update-continuous-backups', ...named, ...recovery);
  await aws('protect the table', 'update-table', ...named, '--deletion-protection-enabled');
  if (source.tags.length > 0)
    await aws('tag the table', 'tag-resource', '--resource-arn', TableArn, '--tags', JSON.stringify(source.tags));
}
