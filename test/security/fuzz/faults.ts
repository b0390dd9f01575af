/** Faults of a response, and of an accepted import. `test/reference` compares results with the rules. */
import type { Answered, Sent } from '../support/target.ts';
import { wrongHeaders, wrongShape } from '../matrix/ask.ts';
import type { FuzzWorld } from './fuzz-world.ts';

interface ImportBody {
  readonly import_id: string;
  readonly status: string;
  readonly counts: { readonly total: number };
  readonly records: readonly { readonly index: number }[];
}

const TERMINAL = new Set(['success', 'partial_success', 'error']);

const read = ({ text }: Answered) => JSON.parse(text) as ImportBody;

/** An accepted import is processed, and read again. */
export async function importFaults(world: FuzzWorld, accepted: Answered): Promise<string[]> {
  const { import_id, counts } = read(accepted);
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

/** A text planted in hostile input; only JSON may show it, which no browser takes for a page. */
export const CANARY = '<script>';
const INNARDS =
  /\n\s+at |node:internal|\.ts:\d|\.mjs:\d|node_modules|Exception|dynamo|TypeError|RangeError|undefined is not/i;
const JSON_TYPE = 'application/json';

export function faultsOf({ route }: Sent, answered: Answered): string[] {
  const { status, text } = answered;
  const isError = status >= 400;
  const rules: readonly (readonly [string, boolean])[] = [
    [`status ${status}`, status >= 500 || status < 200],
    ['shows its innards', isError && INNARDS.test(text)],
    ['echoes its input', isError && text.includes(CANARY) && !answered.headers['content-type']?.startsWith(JSON_TYPE)],
  ];
  return [
    ...rules.filter(([, isBroken]) => isBroken).map(([name]) => name),
    ...wrongHeaders(route, answered),
    ...wrongShape(route, answered),
  ];
}
