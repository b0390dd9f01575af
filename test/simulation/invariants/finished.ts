/** A run that has come to rest, and its imports as their clients see them. */
import { getImport } from '../../../functions/handlers/get-import.ts';
import { listImportRecords } from '../../../functions/handlers/list-import-records.ts';
import type { Caller } from '../../../functions/http/types.ts';
import type { Services, Stores } from '../../../functions/services/services.ts';
import type { ImportItem, RecordResult } from '../../../functions/shared/model.ts';
import type { Simulation } from '../simulation.ts';
import type { Stack } from '../stack.ts';
import type { Workload } from '../workload.ts';
import { COMPANY } from '../world.ts';

export interface Finished {
  readonly simulation: Simulation;
  readonly stack: Stack;
  readonly workload: Workload;
  readonly stores: Stores;
}

/** An import as its client sees it in the end. */
export interface FinishedImport {
  readonly item: ImportItem;
  readonly results: readonly RecordResult[];
  readonly sent: readonly unknown[];
}

export async function finishedImports({ stack, stores }: Finished): Promise<FinishedImport[]> {
  const finished: FinishedImport[] = [];
  for (const import_id of stack.history.commits.keys()) {
    const item = await stores.imports.read(COMPANY, import_id);
    if (item === undefined || item.status === 'processing') {
      stack.history.violate(`import ${import_id} never ended`);
      continue;
    }
    finished.push(await asSeen(item, stores));
  }
  return finished;
}

async function asSeen(item: ImportItem, stores: Stores): Promise<FinishedImport> {
  const company = { company_id: COMPANY, name: '', migrations_enabled: true, cursor_key: 'a2V5' };
  const caller = { company, import: item } as unknown as Caller;
  const request = {
    requestId: '',
    attemptId: '',
    path: { company_id: COMPANY, import_id: item.import_id },
    query: { include: 'record' },
    headers: {},
    sourceIp: '',
    json: () => ({}),
    remainingMs: () => 30_000,
    caller,
  };
  const services = { stores } as unknown as Services;
  const whole = (await getImport(request, services)).body as { records: RecordResult[] };
  const listed = (await listImportRecords(request, services)).body as { records: { record: unknown }[] };
  return { item, results: whole.records, sent: listed.records.map(({ record }) => record) };
}
