/** The cost of a million records, all in, from counts and list prices. */
import { PROCESS_CHUNK } from '../../lib/function-sources.ts';
import type { Engines } from './cloud.ts';
import type { Cpu } from './cpu.ts';
import prices from './prices.json' with { type: 'json' };
import type { MeasuredImport } from './measure-import.ts';
import { readUnitsOf, sumOfTallies, type Tally, writeUnitsOf } from './meter/tally.ts';
import { RECORDS_PER_IMPORT } from './workload.ts';

/** Polls of an import before the one that returns its report: after 1, 2 and 4 of its 6 seconds, by Retry-After. */
const POLLS = 3;
/** Environments that are started for a million records, in GB-seconds of their start: 30 of 1 GB, half a second each. */
const STARTS_GB_SECONDS = 15;
/** Hours in which a million records are imported: at a cold table's 1,900 a second, nine minutes. */
const HOURS = 1;
/** A receive and a delete for every delivery; the event source's idle polls are a fixed cost of the stack, not of a record. */
const REQUESTS_PER_DELIVERY = 2;
/** An import that ends is one event. */
const EVENTS = 1;
const SQS_REQUEST_BYTES = 64 * 1024;
const BYTES_PER_GB = 1e9;

export interface Cost {
  readonly total: number;
  readonly lines: Readonly<Record<string, number>>;
  /** Not in the total: the report sent to the client, and the storage of the written items for a month. */
  readonly beside: Readonly<Record<string, number>>;
}

/** Dollars per million records. `cpu`: the time of a record beside its calls, at the memory of the stack's functions. */
export function costPerMillion(
  { post, chunks, poll, report }: MeasuredImport,
  { memoryMb }: Pick<Engines, 'memoryMb'>,
  cpu: Cpu,
): Cost {
  const polls = Array.from({ length: POLLS }, () => poll);
  const client = sumOfTallies([...polls, report]);
  const all = sumOfTallies([post, ...chunks, client]);
  const requests = POLLS + 2;
  const invocations = requests + chunks.length;
  const gbSeconds = [
    gbSecondsOf(post.ms + computingMs(cpu.accept), memoryMb('start-import')),
    gbSecondsOf(client.ms, memoryMb('get-import')),
    gbSecondsOf(sumOfTallies(chunks).ms + computingMs(cpu.process), memoryMb(PROCESS_CHUNK)),
  ].reduce((sum, each) => sum + each, 0);
  const sqsRequests = sendsOf(post) + chunks.length * REQUESTS_PER_DELIVERY;
  const carried = sumOfTallies([post, ...chunks]);
  const perMillion = 1e6 / RECORDS_PER_IMPORT;
  const lines = rounded({
    'DynamoDB writes': writeUnitsOf(carried) * prices.write_unit.price * perMillion,
    'DynamoDB reads': readUnitsOf(carried) * prices.read_unit.price * perMillion,
    'DynamoDB reads of polls and report': readUnitsOf(client) * prices.read_unit.price * perMillion,
    'REST API': requests * prices.http_request.price * perMillion,
    'Lambda invocations': invocations * prices.lambda_request.price * perMillion,
    'Lambda time': gbSeconds * prices.lambda_gb_second.price * perMillion,
    'Lambda starts': STARTS_GB_SECONDS * prices.lambda_gb_second.price,
    SQS: sqsRequests * prices.sqs_request.price * perMillion,
    EventBridge: EVENTS * prices.event.price * perMillion,
    // Lambda's own lines (START, END, REPORT) are switched off, and so are access logs and traces.
    Logs: (all.log_bytes / BYTES_PER_GB) * prices.log_gb.price * perMillion,
    'custom metrics': Object.keys(all.metrics).length * prices.metric_hour.price * HOURS,
  });
  const kept = Object.values(carried.kinds).reduce((sum, kind) => sum + kind.written_bytes, 0);
  const beside = rounded({
    'report sent to the client': (report.answer_bytes / BYTES_PER_GB) * prices.transfer_gb.price * perMillion,
    'a month of storage': (kept / BYTES_PER_GB) * prices.table_gb_month.price * perMillion,
  });
  return { total: round(Object.values(lines).reduce((sum, line) => sum + line, 0)), lines, beside };
}

/** Dollars per million records of a dry run, without computing: one request, which reads, and writes a report. */
export function dryRunPerMillion({ post }: MeasuredImport, { memoryMb }: Pick<Engines, 'memoryMb'>): number {
  const request =
    writeUnitsOf(post) * prices.write_unit.price +
    readUnitsOf(post) * prices.read_unit.price +
    prices.http_request.price +
    prices.lambda_request.price +
    gbSecondsOf(post.ms, memoryMb('start-import')) * prices.lambda_gb_second.price +
    (post.log_bytes / BYTES_PER_GB) * prices.log_gb.price;
  return round((request * 1e6) / RECORDS_PER_IMPORT);
}

/** Messages go ten to a request, and a request is billed by 64 KB. */
function sendsOf(post: Tally): number {
  const sends = post.calls['SendMessageBatch'] ?? 0;
  return Math.max(sends, Math.ceil(post.message_bytes / SQS_REQUEST_BYTES));
}

const computingMs = (microseconds: number): number => (microseconds / 1000) * RECORDS_PER_IMPORT;
const gbSecondsOf = (ms: number, memoryMb: number): number => (ms / 1000) * (memoryMb / 1024);
const round = (dollars: number): number => Math.round(dollars * 1e4) / 1e4;
const rounded = (lines: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(lines).map(([name, dollars]) => [name, round(dollars)]));

/** A row to keep the contribution and one to bind its id: two writes that no batch makes cheaper. */
const WRITES = { contribution: 1, identity: 1 };
/** Existing items are read strongly, the learner eventually; courses are shared by too many records to count. */
const READS = { progress: 1, learner: 0.5 };

/** Dollars per million records that any design costs at least. */
export function floor(): number {
  const writes = (WRITES.contribution + WRITES.identity) * prices.write_unit.price;
  return round((writes + (READS.progress + READS.learner) * prices.read_unit.price) * 1e6);
}
