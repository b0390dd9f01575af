import { Stack } from 'aws-cdk-lib/core';
import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { USER_CHANGES } from '../../functions/shared/codes.ts';
import { REJECTIONS } from '../../functions/runtime/metrics.ts';

type QueriedLogs = Readonly<Record<'all' | 'intake' | 'processor' | 'watchdog', readonly ILogGroup[]>>;

interface SavedQuery extends QueryStringProps {
  readonly name: string;
  /** The logs of one stack that it reads. */
  readonly of: keyof QueriedLogs;
}

/** By id. */
const QUERIES: Readonly<Record<string, SavedQuery>> = {
  OneImport: {
    name: 'one import, session or address',
    of: 'all',
    fields: [
      '@timestamp, message, route, status, error_code, chunk, outcome, receives, RecordsApplied, failed, TimeToTerminal, duration_ms',
      'error.message, company_id, user_id, session_id, source_ip, email_hash, import_id',
    ],
    filterStatements: [
      'import_id = "put the import_id here" or session_id = "or the session_id" or source_ip = "or the address"',
    ],
    sort: '@timestamp asc',
    limit: 10_000,
  },
  /** Rejected records by code, over all chunks of the selected time range. */
  TopRejections: {
    name: 'top rejection reasons',
    of: 'processor',
    filterStatements: ['message = "chunk" and failed > 0'],
    statsStatements: [REJECTIONS.map((code) => `sum(${code}) as ${code}_`).join(', ')],
  },
  SpeedAndMemory: {
    name: 'speed and memory',
    of: 'all',
    // Lines of requests and of chunks.
    filterStatements: ['ispresent(memory_mb)'],
    statsStatements: [
      'count() as lines, pct(duration_ms, 95) as p95_ms, max(duration_ms) as most_ms, max(memory_mb) as most_mb, count(start_ms) as starts, pct(start_ms, 50) as start_p50_ms, max(start_ms) as start_most_ms by @log',
    ],
    sort: 'p95_ms desc',
    limit: 50,
  },
  Faults: {
    name: 'faults',
    of: 'all',
    // The function (`@log`), request, company and import, the error, its cause, and its place in the code.
    fields: [
      '@timestamp, @log, message, route, request_id, company_id, import_id, chunk, error.name, error.message, error.cause, error.stack.0, record.status',
    ],
    // Lambda's own lines report time-outs and crashes; only its warnings are logged.
    filterStatements: ['level = "ERROR" or type like "platform."'],
    sort: '@timestamp desc',
    limit: 100,
  },
  AppliedFacts: {
    name: 'applied facts',
    of: 'intake',
    // Who was made admin, deactivated or erased, and who sent it.
    fields: [
      '@timestamp, sent_by, request_id, message_id, kind, company_id, user_id, platform_course_id, fact_version, forced',
      USER_CHANGES.map((change) => `${change}_changed`).join(', '),
      'sessions_ended, deleted, erased',
    ],
    filterStatements: ['message = "A fact was applied."'],
    sort: '@timestamp desc',
    limit: 1000,
  },
  Sessions: {
    name: 'sessions',
    of: 'all',
    filterStatements: ['message = "request" and ispresent(session_id)'],
    statsStatements: [
      'count() as calls, sum(HistoryReads) as history_reads, count_distinct(source_ip) as addresses, min(@timestamp) as first, max(@timestamp) as last by company_id, user_id, session_id',
    ],
    sort: 'history_reads desc',
    limit: 100,
  },
  StuckImports: {
    name: 'stuck imports',
    of: 'watchdog',
    fields: ['@timestamp, company_id, import_id, action, resends, missing, missing_chunks'],
    filterStatements: ['message = "An import is stuck."'],
    sort: '@timestamp desc',
    limit: 1000,
  },
};

/** Queries of CloudWatch Logs Insights. Without logs they are for every stack: the reader selects the log groups. */
export function saveQueries(scope: Construct, logs?: QueriedLogs): void {
  const part = new Construct(scope, 'Queries');
  for (const [id, { name, of, ...text }] of Object.entries(QUERIES))
    new QueryDefinition(part, id, {
      queryDefinitionName: `${Stack.of(scope).stackName}/${name}`,
      queryString: new QueryString(text),
      ...(logs !== undefined && { logGroups: [...logs[of]] }),
    });
}
