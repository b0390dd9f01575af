import type { MigrationClient } from '../../client/index.ts';
import type { Rejection, RejectionsOf } from './rejected-rows.ts';

/** Reads rejections from the service chunk by chunk, as they are written: never all at once. */
export function rejectionsFrom(
  client: Pick<MigrationClient, 'records'>,
  importOf: (chunk: number) => string | undefined,
): RejectionsOf {
  return async (chunk) => {
    const import_id = importOf(chunk);
    if (import_id === undefined) return undefined;
    const rejections = new Map<number, Rejection>();
    for await (const { index, errors } of client.records(import_id, { status: 'error' }))
      rejections.set(index, { errors });
    return rejections;
  };
}
