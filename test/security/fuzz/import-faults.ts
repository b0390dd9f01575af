/** What may not become of an import that was accepted, however hostile its records are. */
import type { Dice } from '../../kit/dice.ts';
import type { Answered, Sent } from '../support/target.ts';
import { FuzzWorld } from './fuzz-world.ts';
import { referenceFaults, type Result } from './reference-faults.ts';

interface ImportBody {
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly status: string;
  readonly counts: { readonly total: number };
  readonly records: readonly (Result & { readonly index: number })[];
}

const TERMINAL = new Set(['success', 'partial_success', 'error']);

export async function importFaults(world: FuzzWorld, sent: Sent, answered: Answered, dice: Dice): Promise<string[]> {
  if (answered.status === 200) return dryRunFaults(world, sent, read(answered), dice);
  return answered.status === 202 ? processedFaults(world, read(answered)) : [];
}

const read = ({ text }: Answered) => JSON.parse(text) as ImportBody;

async function processedFaults(world: FuzzWorld, { import_id, counts }: ImportBody): Promise<string[]> {
  const failed = await world.process();
  const done = read(await world.ask('get-import', { import_id }));
  const listed = await world.ask('list-import-records', { import_id }, { include: 'record' });
  return [
    ...(failed.length > 0 ? ['a chunk failed'] : []),
    ...(TERMINAL.has(done.status) ? [] : [`the import is ${done.status}`]),
    ...(done.records.length === counts.total ? [] : ['not every record has a result']),
    ...(done.records.every(({ index }, at) => index === at) ? [] : ['the results are out of order']),
    ...(listed.status === 200 ? [] : [`its records are ${listed.status}`]),
    ...(done.records.some((result) => JSON.stringify(result).includes('processing_failed'))
      ? ['processing_failed']
      : []),
  ];
}

/** §4.2 operation 7: with nothing changed in between, the real run gives the same results, member for member. */
async function dryRunFaults(world: FuzzWorld, sent: Sent, dry: ImportBody, dice: Dice): Promise<string[]> {
  const faults = await referenceFaults(world, sent, dry.records);
  if (typeof sent.body !== 'string' || !dice.oneIn(2)) return faults;
  const body = sent.body.replace(/"dry_run"\s*:\s*true/, '"dry_run":false');
  const { 'idempotency-key': _, ...headers } = sent.headers ?? {};
  const real = await world.send({ ...sent, headers, body });
  if (real.status !== 202) return faults;
  FuzzWorld.totals.twins += 1;
  const { import_id } = read(real);
  faults.push(...(await processedFaults(world, read(real))));
  const { records } = read(await world.ask('get-import', { import_id }));
  const isSame = JSON.stringify(records) === JSON.stringify(dry.records);
  return isSame ? faults : [...faults, `the dry run said ${first(dry.records, records)}`];
}

function first(dry: ImportBody['records'], real: ImportBody['records']): string {
  const at = dry.findIndex((result, index) => JSON.stringify(result) !== JSON.stringify(real[index]));
  return `${JSON.stringify(dry[at])} and the real run ${JSON.stringify(real[at])}`;
}
