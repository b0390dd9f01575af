import { Stack } from 'aws-cdk-lib/core';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { REJECTIONS } from '../../functions/runtime/metric-names.ts';
import { BundledFunction } from '../functions/bundled-function.ts';
import type { Watched } from './metrics.ts';

/** Rejected records by code, over all chunks of the selected time range. */
export const TOP_REJECTIONS = {
  filterStatements: ['message = "chunk" and failed > 0'],
  statsStatements: [REJECTIONS.map((code) => `sum(${code}) as ${code}_`).join(', ')],
};

/** Which function (`@log`), which request, company and import, which error, what caused it, and its place in the code. */
const FAULT_FIELDS = [
  '@timestamp',
  '@log',
  'message',
  'route',
  'request_id',
  'company_id',
  'import_id',
  'chunk',
  'error.name',
  'error.message',
  'error.cause',
  'error.stack.0',
  'record.status',
];

/** Imports with rejected records, those with the most first. */
export const IMPORTS_WITH_FAILURES = {
  filterStatements: ['message = "chunk" and failed > 0'],
  statsStatements: ['sum(failed) as failed_records, max(@timestamp) as last by company_id, import_id'],
  sort: 'failed_records desc',
  limit: 20,
};

/** Queries of CloudWatch Logs Insights, ready to run, or to run with an id filled in. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { startImport, processor, watchdog }: Watched) {
    super(scope, id);
    const functions = Stack.of(this)
      .node.findAll()
      .filter((part) => part instanceof BundledFunction);
    const folder = Stack.of(this).stackName;
    new QueryDefinition(this, 'OneImport', {
      queryDefinitionName: `${folder}/one import`,
      queryString: new QueryString({
        fields: [
          '@timestamp, message, route, status, chunk, outcome, receives, RecordsApplied, failed, TimeToTerminal, duration_ms',
          'error.message',
        ],
        filterStatements: ['import_id = "put the import_id here"'],
        sort: '@timestamp asc',
        limit: 1000,
      }),
      logGroups: [startImport.logs, processor.logs, watchdog.logs],
    });
    new QueryDefinition(this, 'TopRejections', {
      queryDefinitionName: `${folder}/top rejection reasons`,
      queryString: new QueryString(TOP_REJECTIONS),
      logGroups: [processor.logs],
    });
    new QueryDefinition(this, 'SlowestChunks', {
      queryDefinitionName: `${folder}/slowest chunks`,
      queryString: new QueryString({
        fields: ['@timestamp, company_id, import_id, chunk, receives, RecordsApplied, failed, cold_start, duration_ms'],
        filterStatements: ['message = "chunk"'],
        sort: 'duration_ms desc',
        limit: 50,
      }),
      logGroups: [processor.logs],
    });
    new QueryDefinition(this, 'Faults', {
      queryDefinitionName: `${folder}/faults`,
      queryString: new QueryString({
        fields: [FAULT_FIELDS.join(', ')],
        // Lambda's own lines report time-outs and crashes; only its warnings are logged.
        filterStatements: ['level = "ERROR" or type like "platform."'],
        sort: '@timestamp desc',
        limit: 100,
      }),
      logGroups: functions.map(({ logs }) => logs),
    });
    new QueryDefinition(this, 'StuckImports', {
      queryDefinitionName: `${folder}/stuck imports`,
      queryString: new QueryString({
        fields: ['@timestamp, company_id, import_id, action, resends, missing, missing_chunks'],
        filterStatements: ['message = "An import is stuck."'],
        sort: '@timestamp desc',
        limit: 1000,
      }),
      logGroups: [watchdog.logs],
    });
  }
}
