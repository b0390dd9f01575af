/**
 * What an erasure leaves: nothing of the person in any spelling, and everything of others as it was. Then everything
 * is sent again, and must not bring the person back.
 */
import { importIdForKey } from '../../../functions/imports/idempotency-key.ts';
import { unpackImport } from '../../../functions/imports/import-item.ts';
import { readResults } from '../../../functions/imports/results.ts';
import type { RecordResult } from '../../../functions/shared/model.ts';
import { ANN_FACT, ANN_ID, COMPANY, ERASE_FACT, leftOfPerson, namesPerson, NATIVE } from '../../erasure/person.ts';
import type { Attributes } from '../../kit/memory-table/memory-table.ts';
import type { Told } from '../history.ts';
import type { Finished } from './finished.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

export async function checkErasure(run: Finished): Promise<void> {
  const { stack, workload } = run;
  await checkLeft(run);
  checkFact(run);
  for (const request of workload.imports) await checkSent(request, run);
  await checkSentAgain(run);
  await checkLeft(run);
  // The stored results of a dry run have been erased meanwhile.
  for (const [key, responses] of Map.groupBy(stack.history.responses, ({ request }) => request.key))
    if (new Set(responses.map(({ status, import_id }) => `${status} ${import_id}`)).size > 1)
      stack.history.violate(`key ${key} was answered in several ways`);
}

/** The fact is applied once. If its first response was lost, the platform only receives `stale`. */
function checkFact({ simulation, stack: { history } }: Finished): void {
  const [first, ...further] = erasuresIn(history.told);
  if (first === undefined) history.violate('the fact that erases was never answered');
  else if (first.status !== 'applied' && simulation.suffered.length === 0) history.violate('the fact was not applied');
  else if (further.some(({ status }) => status === 'applied')) history.violate('the person was erased twice');
}

/** Earlier facts are stale; an import is replayed; the erasing fact returns when it was done. */
async function checkSentAgain(run: Finished): Promise<void> {
  const { simulation, stack, workload } = run;
  const { history } = stack;
  const [imports, told] = [history.commits.size, history.told.length];
  simulation.quiet = true;
  const send = async (again: () => void) => {
    again();
    await simulation.run(simulation.nowMs + WEEK_MS);
  };
  await send(() => stack.tell([ANN_FACT, { ...NATIVE, version: 9, completion_pct: 60 }]));
  for (const request of workload.imports) if (isThere(request, run)) await send(() => stack.send(request));
  await send(() => stack.tell([ERASE_FACT]));
  if (history.commits.size > imports) history.violate('an import that was sent again is a new one');
  const results = history.told.slice(told).flatMap(({ response }) => response.results);
  if (results.map(({ status }) => status).join() !== 'stale,stale,erased')
    history.violate('a fact of before is applied');
  if (results.at(-1)?.erased_at?.startsWith('2') !== true) history.violate('a repeat does not say when it was done');
}

const erasuresIn = (told: readonly Told[]) =>
  told.flatMap(({ facts, response }) => (facts.includes(ERASE_FACT) ? response.results : []));

type Sent = Finished['workload']['imports'][number];

const isThere = ({ key = '' }: Sent, { stack }: Finished) => stack.history.commits.has(importIdForKey(COMPANY, key));

export function checkPerson({ simulation, stack: { history } }: Pick<Finished, 'simulation' | 'stack'>): void {
  const { events, messages, lines } = history;
  const items = [...simulation.table.items()].filter((item) => !isOfNoImport(item, simulation));
  for (const left of leftOfPerson(items, [...events, ...messages, ...lines])) history.violate(`left: ${left}`);
}

/**
 * Whether an attempt staged this and then lost the race, or ended before it stored its import. No import refers to it,
 * so an erasure does not find it, and it expires.
 */
function isOfNoImport({ pk, sk, expires_at_seconds }: Attributes, { table }: Finished['simulation']): boolean {
  const [kind, id = ''] = String(sk).split('#');
  if (expires_at_seconds === undefined || (kind !== 'payload' && kind !== 'report')) return false;
  const stored = table.read({ pk: String(pk), sk: 'import' });
  const item = stored && unpackImport(stored);
  return item?.attempt_id !== id && item?.chunks.some(({ payload_hash }) => payload_hash === id) !== true;
}

async function checkLeft(run: Finished): Promise<void> {
  const { history } = run.stack;
  checkPerson(run);
  const after = await othersIn(run);
  for (const [name, value] of history.others)
    if (after.get(name) !== value) history.violate(`${name} was ${value}, and is ${after.get(name)}`);
}

/** Every record has a result; exactly those of the person are erased. */
async function checkSent(request: Sent, { stack, services }: Finished): Promise<void> {
  const import_id = importIdForKey(COMPANY, request.key ?? '');
  const item = await services.stores.imports.read({ company_id: COMPANY, import_id });
  if (item === undefined) return;
  const reported = (await readResults(item, services)) ?? [];
  const { history } = stack;
  if (reported.length !== request.records.length)
    history.violate(`${reported.length} results for ${request.records.length} records`);
  for (const { result, record } of reported) {
    const isRight = namesPerson(request.records[result.index])
      ? isErased(result) && record === null
      : result.erased === undefined;
    if (!isRight) history.violate(`record ${item.import_id}#${result.index} is ${JSON.stringify([result, record])}`);
  }
}

const isErased = ({ erased, external_record_id, progress }: RecordResult): boolean =>
  erased === true && external_record_id === null && progress === null;

/** What is stored of others, and their results in ended imports. Where something is reverted, only the results. */
export async function othersIn(
  run: Pick<Finished, 'simulation' | 'workload' | 'services'>,
): Promise<Map<string, string>> {
  const { simulation, workload, services } = run;
  const stored = workload.imports.some(({ revertsMs }) => revertsMs !== undefined) ? [] : simulation.table.items();
  const own = [...stored].filter(({ pk, user_id }) =>
    String(pk).includes('#record#') ? user_id !== ANN_ID : /#learner#[12]$/.test(String(pk)),
  );
  const others = own.flatMap(({ pk, sk, added: _, ...rest }): (readonly [string, string])[] =>
    Object.entries(rest).map(([name, value]) => [`${pk} ${sk} ${name}`, String(value)]),
  );
  for (const { key = '', records } of workload.imports) {
    const item = await services.stores.imports.read({ company_id: COMPANY, import_id: importIdForKey(COMPANY, key) });
    if (item === undefined || item.status === 'processing') continue;
    for (const { result, record } of (await readResults(item, services)) ?? [])
      if (!namesPerson(records[result.index]))
        others.push([`${item.import_id}#${result.index}`, withoutHolder([result, record])]);
  }
  return new Map(others);
}

const withoutHolder = (value: unknown): string =>
  JSON.stringify(value).replace(
    new RegExp(`already belongs to user ${ANN_ID} and course \\d+, and cannot be used for another`),
    'belonged to another user, who has been erased since',
  );
