/** The `Location` of what is accepted, behind a stage or a domain name's base path. Costs milliseconds. */
import { expect, it } from 'vitest';
import { handler as cancel } from '../../functions/handlers/cancel-import.ts';
import { handler as getRunRevert } from '../../functions/handlers/get-run-revert.ts';
import { handler as revert } from '../../functions/handlers/revert-import.ts';
import { handler as revertRun } from '../../functions/handlers/revert-run.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import { MAX_IMPORTS_PREVIEWED } from '../../functions/shared/limits.ts';
import type { CompanyRequest } from '../../functions/http/types.ts';
import { NO_BODY, operationRequest, withBody } from '../kit/api-event.ts';
import { importItem } from '../dynamodb/samples.ts';
import { COMPANY_ID, IMPORT_ID, RECORDS, RUN, importWorld } from '../imports/world.ts';

const PROGRESS = `/v1/migrations/${COMPANY_ID}/progress`;
type World = Awaited<ReturnType<typeof importWorld>>;
type Accepted = (world: World, basePath: string) => Promise<{ readonly headers?: Readonly<Record<string, string>> }>;

const request = (parts: Parameters<typeof operationRequest>[0]): CompanyRequest =>
  operationRequest({ ...withBody({ dry_run: false }), ...parts });
const ended = async (world: World) => {
  await world.accept(RECORDS, { run_id: RUN.run_id });
  await world.deliver();
  return world.read();
};

const ENDED = { run_id: RUN.run_id, status: 'success', chunks: [] } as const;

const OPERATIONS: readonly (readonly [string, string, Accepted])[] = [
  [
    'an accepted import',
    `${PROGRESS}/imports/`,
    (world, basePath) =>
      startImport.operation(
        request({ basePath, attemptId: 'a', ...withBody({ dry_run: false, records: RECORDS }) }),
        world.services,
      ),
  ],
  [
    'a cancellation',
    `${PROGRESS}/imports/${IMPORT_ID}`,
    async (world, basePath) => {
      await world.accept(RECORDS);
      return cancel.operation(request({ basePath, ...NO_BODY, import: await world.read() }), world.services);
    },
  ],
  [
    'the revert.operation of an import',
    `${PROGRESS}/imports/${IMPORT_ID}/revert`,
    async (world, basePath) => revert.operation(request({ basePath, import: await ended(world) }), world.services),
  ],
  [
    'the revert.operation of a run',
    `${PROGRESS}/runs/${RUN.run_id}/revert`,
    async (world, basePath) => {
      await ended(world);
      const path = { company_id: COMPANY_ID, run_id: RUN.run_id };
      return revertRun.operation(request({ basePath, path }), world.services);
    },
  ],
  [
    'the dry run of a revert.operation of many imports',
    `${PROGRESS}/runs/${RUN.run_id}/revert?dry_run=true`,
    async (world, basePath) => {
      for (let at = 0; at <= MAX_IMPORTS_PREVIEWED; at += 1)
        await world.stores.imports.commit(importItem(COMPANY_ID, { ...ENDED, import_id: `import-${at}` }));
      const path = { company_id: COMPANY_ID, run_id: RUN.run_id };
      return revertRun.operation(request({ basePath, path, ...withBody({ dry_run: true }) }), world.services);
    },
  ],
];

it.each(
  OPERATIONS.flatMap(([what, path, accepted]) =>
    ['', '/production', '/lms/v1'].map((basePath) => [what, basePath, path, accepted] as const),
  ),
)('the Location of %s begins with the path before the route, "%s"', async (_, basePath, path, accepted) => {
  const { headers } = await accepted(await importWorld(), basePath);
  expect(headers?.['location']?.startsWith(basePath + path)).toBe(true);
});

it('dry_run of a query is true or false', async () => {
  const { services } = await importWorld();
  const path = { company_id: COMPANY_ID, run_id: RUN.run_id };
  const asked = getRunRevert.operation(request({ path, query: { dry_run: 'yes' } }), services);
  await expect(asked).rejects.toThrow('dry_run must be one of: true, false, not');
});
