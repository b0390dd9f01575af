import { importDownload, importOf } from '../http/operations.ts';
import { pageOf, resultsQuery } from '../http/paging.ts';
import { revalidated } from '../http/response.ts';
import { planReader } from '../imports/chunk-store.ts';
import { bytesRead, hasExpired, readResults, resultsVersion } from '../imports/results.ts';
import { PAGE_LIMITS } from '../shared/limits.ts';
import { listImportRecords as route } from '../shared/routes.ts';

/** `GET …/progress/imports/{import_id}/records` (§4.2 operation 9). A current copy costs no read of results. */
export const handler = importDownload(
  route,
  (database) => ({ stores: { imports: planReader(database) } }),
  async (request, services) => {
    const { scope, status, include, after } = resultsQuery<number>(request, `records:${request.path['import_id']}`);
    const item = importOf(request);
    const nowMs = services.clock.nowMs();
    const body = async () => {
      const { items: records, next_cursor } = await pageOf(request, {
        scope,
        limits: PAGE_LIMITS.records,
        read: async () => {
          const reported = await readResults(item, services);
          if (reported === undefined) return [];
          return reported
            .filter(({ result }) => result.index > (after ?? -1) && (status === undefined || result.status === status))
            .map(({ result, record }) => (include === undefined ? result : { ...result, record }));
        },
        positionOf: ({ index }) => index,
      });
      const expired = hasExpired(item, nowMs) && ({ report_expired: true } as const);
      return { import_id: item.import_id, status: item.status, ...expired, records, next_cursor };
    };
    if (item.status === 'processing') return { statusCode: 200, body: await body() };
    const { limit } = request.query;
    const response = await revalidated(request, { from: [resultsVersion(item, nowMs), scope, limit, after], body });
    const shown = response.body as Awaited<ReturnType<typeof body>> | undefined;
    const shows = include === undefined ? 1 : shown?.records.length;
    return { ...response, readBytes: bytesRead(item), ...(shows !== undefined && { shows }) };
  },
);
