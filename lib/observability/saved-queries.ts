import { Stack } from 'aws-cdk-lib/core';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { REJECTIONS } from '../../functions/runtime/metric-names.ts';
import type { Watched } from './metrics.ts';

/** Rejected records by code, over all chunks of the selected time range. */
export const TOP_REJECTIONS = {
  filterStatements: ['message = "chunk" and failed > 0'],
  statsStatements: [REJECTIONS.map((code) => `sum(${code}) as ${code}_`).join(', ')],
};

/** Queries of CloudWatch Logs Insights, ready to run, or to run with an id filled in. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { startImport, processor, watchdog }: Watched) {
    super(scope, id);
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
        fields: ['@timestamp, message, request_id, import_id, chunk, error.name, error.message'],
        filterStatements: ['level = "ERROR"'],
        sort: '@timestamp desc',
        limit: 100,
      }),
      logGroups: [startImport.logs, processor.logs, watchdog.logs],
    });
  }
}
