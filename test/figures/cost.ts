/** The cost of a million records, all in, from counts and list prices. */
import { deploymentOf } from './deployment.ts';
import { type MeasuredImport, msOf, readUnitsOf, writeUnitsOf, writtenBytesOf } from './imports.ts';
import prices from './prices.json' with { type: 'json' };
import { RECORDS_PER_IMPORT } from './workload.ts';
import type { Tally } from './world.ts';

/** Polls of an import before the one that returns its report: after 1, 2 and 4 of its 6 seconds, by Retry-After. */
const POLLS = 3;
/** Environments started for a million records, in GB-seconds of their start: 30 of 1 GB, half a second each. */
const STARTS_GB_SECONDS = 15;
/** Custom metrics that an import without errors and warnings writes. */
const METRICS = 4;
/** Hours in which a million records are imported: at a cold table's 1,900 a second, nine minutes. */
const HOURS = 1;
/** A receive and a delete for every delivery; idle polls are a fixed cost of the stack, not of a record. */
const REQUESTS_PER_DELIVERY = 2;
/** DynamoDB bills so many bytes of each item beyond its own. */
const STORED_BESIDE_BYTES = 100;
const SECONDS = 3600;
const GB = 1e9;
const PER_MILLION = 1e6 / RECORDS_PER_IMPORT;

/** Microseconds of computing a record, as `npm run figures -- machine` measures them on an idle machine. */
const COMPUTING_US = { accept: 24, process: 205 };

export const REQUEST = prices.http_request.price + prices.lambda_request.price;
const round = (dollars: number): number => Math.round(dollars * 1e4) / 1e4;
const logBytes = (tallies: readonly Tally[]): number => tallies.reduce((sum, { log_bytes }) => sum + log_bytes, 0);

const computingMs = (microseconds: number): number => (microseconds / 1000) * RECORDS_PER_IMPORT;
const memoryOf = (name: string): number => deploymentOf().limitsOf(name).memoryMb;

const timeDollars = (name: string, ms: number): number =>
  (ms / 1000) * (memoryOf(name) / 1024) * prices.lambda_gb_second.price;

export const callDollars = (name: string, tallies: readonly Tally[], computingMs: number): number =>
  writeUnitsOf(...tallies) * prices.write_unit.price +
  readUnitsOf(...tallies) * prices.read_unit.price +
  timeDollars(name, msOf(tallies) + computingMs) +
  (logBytes(tallies) / GB) * prices.log_gb.price;

/** Dollars per million records by what they are paid for; what follows the total is not part of it. */
export function costPerMillion({ post, chunks, poll, report }: MeasuredImport) {
  const client = [...Array.from({ length: POLLS }, () => poll.tally), report.tally];
  const carried = [post, ...chunks];
  const requests = 1 + client.length;
  const time =
    timeDollars('start-import', post.ms + computingMs(COMPUTING_US.accept)) +
    timeDollars('get-import', msOf(client)) +
    timeDollars('process-chunk', msOf(chunks) + computingMs(COMPUTING_US.process));
  const sqsRequests = (post.calls['SendMessageBatch'] ?? 0) + chunks.length * REQUESTS_PER_DELIVERY;
  const each = {
    'DynamoDB writes': writeUnitsOf(...carried) * prices.write_unit.price,
    'DynamoDB reads': readUnitsOf(...carried) * prices.read_unit.price,
    'DynamoDB reads of polls and report': readUnitsOf(...client) * prices.read_unit.price,
    'REST API': requests * prices.http_request.price,
    'Lambda invocations': (requests + chunks.length) * prices.lambda_request.price,
    'Lambda time': time,
    SQS: sqsRequests * prices.sqs_request.price,
    EventBridge: prices.event.price,
    // Lambda's own lines (START, END, REPORT) are switched off, and so are access logs and traces.
    Logs: (logBytes([...carried, ...client]) / GB) * prices.log_gb.price,
  };
  const lines = {
    ...Object.fromEntries(Object.entries(each).map(([name, dollars]) => [name, round(dollars * PER_MILLION)])),
    'Lambda starts': round(STARTS_GB_SECONDS * prices.lambda_gb_second.price),
    'custom metrics': round(METRICS * prices.metric_hour.price * HOURS),
  };
  const written = carried.flatMap(({ kinds }) => Object.values(kinds)).reduce((sum, { writes }) => sum + writes, 0);
  const kept = writtenBytesOf(...carried) + written * STORED_BESIDE_BYTES;
  const provisioned =
    (writeUnitsOf(...carried) * prices.write_capacity_hour.price +
      readUnitsOf(...carried) * prices.read_capacity_hour.price) /
    SECONDS;
  const onDemand = each['DynamoDB writes'] + each['DynamoDB reads'];
  const total = Object.values(lines).reduce((sum, line) => sum + line, 0);
  return {
    lines,
    total: round(total),
    'on capacity that is provisioned, all of it used': round(total + (provisioned - onDemand) * PER_MILLION),
    'report sent to the client': round((report.bytes / GB) * prices.transfer_gb.price * PER_MILLION),
    'a month of storage': round((kept / GB) * prices.table_gb_month.price * PER_MILLION),
  };
}

/** Dollars per million records of a dry run: one request, which reads, and writes a report. */
export const dryRunPerMillion = ({ post }: MeasuredImport): number =>
  round((REQUEST + callDollars('start-import', [post], computingMs(COMPUTING_US.accept))) * PER_MILLION);

/** Dollars per million records of imports that the service makes of dry runs: nobody sends them, and nobody polls. */
export function plannedPerMillion(of: {
  readonly driver: readonly Tally[];
  readonly chunks: readonly Tally[];
  readonly imports: number;
}): number {
  const { driver, chunks, imports } = of;
  const invocations = driver.length + chunks.length;
  const sent = driver.reduce((sum, { calls }) => sum + (calls['SendMessageBatch'] ?? 0), 0);
  const each =
    callDollars('process-chunk', driver, computingMs(COMPUTING_US.accept) * imports) +
    callDollars('process-chunk', chunks, computingMs(COMPUTING_US.process) * imports) +
    invocations * prices.lambda_request.price +
    (sent + invocations * REQUESTS_PER_DELIVERY) * prices.sqs_request.price +
    imports * prices.event.price;
  const once = STARTS_GB_SECONDS * prices.lambda_gb_second.price + METRICS * prices.metric_hour.price * HOURS;
  return round((each / imports) * PER_MILLION + once);
}
