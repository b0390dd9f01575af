/** A finished run, and its imports as their clients see them. */
import { handler as getImport } from '../../../functions/handlers/get-import.ts';
import { handler as listImportRecords } from '../../../functions/handlers/list-import-records.ts';
import type { Services } from '../../kit/services.ts';
import type { ImportItem, RecordResult } from '../../../functions/shared/model.ts';
import { operationRequest } from '../../kit/api-event.ts';
import type { Simulation } from '../simulation.ts';
import type { Stack } from '../stack.ts';
import type { Workload } from '../workload.ts';
import { COMPANY } from '../world.ts';

export interface Finished {
  readonly simulation: Simulation;
  readonly stack: Stack;
  readonly workload: Workload;
  readonly services: Services;
}

export interface FinishedImport {
  readonly item: ImportItem;
  readonly results: readonly RecordResult[];
  readonly sent: readonly unknown[];
}

export async function finishedImports({ stack, services }: Finished): Promise<FinishedImport[]> {
  const finished: FinishedImport[] = [];
  for (const import_id of stack.history.commits.keys()) {
    const item = await services.stores.imports.read({ company_id: COMPANY, import_id });
    if (item === undefined || item.status === 'processing') {
      stack.history.violate(`import ${import_id} never ended`);
      continue;
    }
    finished.push(await asSeen(item, services));
  }
  return finished;
}

async function asSeen(item: ImportItem, services: Services): Promise<FinishedImport> {
  const request = operationRequest({
    path: { company_id: COMPANY, import_id: item.import_id },
    query: { include: 'record' },
    import: item,
  });
  const whole = (await getImport.operation(request, services)).body as { records: RecordResult[] };
  const listed = (await listImportRecords.operation(request, services)).body as { records: { record: unknown }[] };
  return { item, results: whole.records, sent: listed.records.map(({ record }) => record) };
}
