/** One import from POST to its final report, each stage counted on its own. */
import type { World } from './cloud.ts';
import { readUnitsOf, sumOfTallies, type Tally, writeUnitsOf } from './meter/tally.ts';
import type { BenchRecord } from './workload.ts';

export interface MeasuredImport {
  /** Of the POST. */
  readonly body_bytes: number;
  readonly post: Tally;
  /** One for each invocation of the processor. */
  readonly chunks: readonly Tally[];
  /** A poll while the import runs, and the one that returns the whole report. */
  readonly poll: Tally;
  readonly report: Tally;
  /** The report requested again by a caller that has it. */
  readonly again: Tally;
  /** Other reads of the import, first and again by a caller that has the response. */
  readonly reads: Readonly<Record<string, { readonly first: Tally; readonly again: Tally }>>;
  /** The total of accepting and processing, without polls, whose number the client chooses. */
  readonly whole: Tally;
}

let imports = 0;

export async function measureImport(
  world: World,
  records: readonly BenchRecord[],
  dry_run = false,
  run_id: string | null = null,
): Promise<MeasuredImport> {
  const { operations, meter } = world;
  const key = `bench-${(imports += 1)}`;
  const payload = { dry_run, ...(run_id !== null && { run_id }), records };
  const posted = await meter.measure(() => operations.startImport(payload, key));
  posted.tally.answer_bytes = posted.value.bytes;
  // The body is written by the client.
  const body_bytes = Buffer.byteLength(JSON.stringify(payload));
  posted.tally.json_calls -= 1;
  posted.tally.json_bytes -= body_bytes;
  expectStatus(posted.value.status, dry_run ? 200 : 202);
  const { import_id } = posted.value.body as { import_id: string };

  const polled = await measurePoll(world, import_id);
  const chunks: Tally[] = [];
  await world.deliver(async (event) => {
    const { tally, value } = await meter.measure(() => operations.process(event));
    if ((value?.batchItemFailures ?? []).length > 0) throw new Error('a message failed');
    chunks.push(tally);
  });
  const reported = await measurePoll(world, import_id);
  const { status, counts } = reported.response.body;
  if (status !== (dry_run ? 'validated' : 'success')) throw new Error(`the import ended as ${status}`);
  if (counts.succeeded !== records.length) throw new Error('not every record was applied');
  const again = await measurePoll(world, import_id, reported.response.etag);
  const reads = await measureReads(world, import_id);
  const whole = sumOfTallies([posted.tally, ...chunks]);
  expectAgreement(whole);
  return {
    body_bytes,
    post: posted.tally,
    chunks,
    poll: polled.tally,
    report: reported.tally,
    again: again.tally,
    reads,
    whole,
  };
}

/** The units by our arithmetic and those that the engine reports: two independent counts of the same calls. */
function expectAgreement(whole: Tally): void {
  const ours = { writes: writeUnitsOf(whole), reads: readUnitsOf(whole) };
  const engines = { writes: whole.engine_write_units, reads: whole.engine_read_units };
  if (ours.writes === engines.writes && ours.reads === engines.reads) return;
  throw new Error(`the meter counts ${JSON.stringify(ours)}, the engine ${JSON.stringify(engines)}`);
}

async function measurePoll({ operations, meter }: World, import_id: string, copy?: string) {
  const { tally, value } = await meter.measure(() => operations.getImport(import_id, copy));
  expectStatus(value.status, copy === undefined ? 200 : 304);
  tally.answer_bytes = value.bytes;
  return { tally, response: value };
}

async function measureReads({ operations, meter }: World, import_id: string): Promise<MeasuredImport['reads']> {
  const reads: Record<string, { first: Tally; again: Tally }> = {};
  for (const [name, read] of Object.entries(operations.reads)) {
    const first = await meter.measure(() => read(import_id));
    expectStatus(first.value.status, 200);
    const again = await meter.measure(() => read(import_id, first.value.etag));
    expectStatus(again.value.status, 304);
    for (const { tally, value } of [first, again]) tally.answer_bytes = value.bytes;
    reads[name] = { first: first.tally, again: again.tally };
  }
  return reads;
}

function expectStatus(status: number, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status} instead of ${expected}`);
}
