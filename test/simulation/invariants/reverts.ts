/**
 * Reverts leave what would be stored if the reverted imports had never been made: one contribution for every
 * successful record of every other import, the ids that such records bind, and nothing else. Of records that were
 * `unchanged` because of a reverted one, the first has a contribution, and the others rely on it.
 */
import { unpackContribution } from '../../../functions/imports/contribution-item.ts';
import { unpackGate } from '../../../functions/jobs/gate.ts';
import { gateKey } from '../../../functions/dynamodb/table.ts';
import type { RecordWrite } from '../../../functions/shared/model.ts';
import { COMPANY, learnerKey } from '../world.ts';
import { storedCourse } from '../history.ts';
import type { Finished, FinishedImport } from './finished.ts';
import { isOurFault } from './results.ts';

export async function checkReverts(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const { simulation, stack } = run;
  const violate = (what: string) => stack.history.violate(what);
  if (!simulation.bounded) return;
  if (unpackGate(simulation.table.read(gateKey(COMPANY))).by !== undefined) violate('the gate stays closed');
  checkRequested(run, imports);
  const kept = imports.filter(({ item }) => item.reverted_at === null && !item.dry_run);
  const known = new Set<string>();
  const bound = new Map<string, string>();
  const uncertain = new Set<string>();
  for (const one of kept) {
    for (const { write, name, outcome } of await writesOf(one, run)) {
      const id = write.contribution.external_record_id;
      const pair = `${write.user_id}/${write.platform_course_id}`;
      if (outcome === 'failed') {
        known.add(name);
        uncertain.add(id);
        continue;
      }
      known.add(name);
      bound.set(id, pair);
      const { contributions } = storedCourse(learnerKey(write.user_id, write.platform_course_id), simulation.table);
      const own = contributions.some((each) => `${each.import_id}#${each.index}` === name);
      const same = contributions.some(
        (each) => each.external_record_id === id && each.content_hash === write.contribution.content_hash,
      );
      if (outcome === 'unchanged' ? !same : !own) violate(`${name} (${outcome}) is lost`);
    }
  }
  checkStored(run, known);
  checkIdentities(run, bound, uncertain);
  // The former release gives each of them a contribution, and closes the gate in its first step.
  if (stack.isMixed) return;
  await checkPassedOn(run, imports);
  for (const plan of stack.history.plannedTooEarly) violate(`${plan} was made after a revert had been requested`);
}

/** A record that succeeded, among those with its id, learner course and content. */
interface Alike {
  readonly name: string;
  readonly isUnchanged: boolean;
  readonly isKept: boolean;
  /** Orders of acceptance and place. */
  readonly place: string;
  /** When its chunk got a summary; below, when its contribution was stored. */
  readonly summarised: number;
  readonly written: number | undefined;
  readonly given: boolean;
}

/** A record that was `unchanged` has a contribution only if it is the first of those that needed one. */
async function checkPassedOn(run: Finished, imports: readonly FinishedImport[]): Promise<void> {
  const all = await Promise.all(imports.filter(({ item }) => !item.dry_run).map((one) => alikeOf(one, run)));
  for (const alike of Map.groupBy(all.flat(), ({ content }) => content).values()) checkAlike(alike, run);
}

function checkAlike(alike: readonly Alike[], { stack }: Finished): void {
  const { history } = stack;
  if (history.isReplacing) return;
  const kept = alike.filter(({ isKept }) => isKept);
  // Several imports in flight may have applied the same record; then others relied on more than one of them.
  const isDisputed = alike.filter(({ isUnchanged }) => !isUnchanged).length > 1;
  // A chunk whose plan is from an earlier epoch wrote for itself.
  for (const { name, isUnchanged, given, place, written } of kept) {
    if (!isUnchanged || !given || written === undefined) continue;
    const isBefore = (other: Alike) => other.name !== name && other.place < place;
    const holder = kept.find((other) => isBefore(other) && other.written !== undefined && other.written < written);
    if (holder !== undefined) history.violate(`${name} has a contribution although ${holder.name} has the same`);
    const earlier = kept.find(
      (other) => isBefore(other) && !isDisputed && other.isUnchanged && other.summarised < written,
    );
    if (earlier !== undefined) history.violate(`${name} has the contribution of ${earlier.name}, which came first`);
  }
}

async function alikeOf(one: FinishedImport, run: Finished): Promise<(Alike & { readonly content: string })[]> {
  const { item } = one;
  const { history } = run.stack;
  const { table } = run.simulation;
  return (await writesOf(one, run)).flatMap(({ name, write, outcome }) => {
    if (outcome === 'failed') return [];
    const { external_record_id, content_hash, index } = write.contribution;
    const { contributions } = storedCourse(learnerKey(write.user_id, write.platform_course_id), table);
    const isStored = contributions.some((each) => `${each.import_id}#${each.index}` === name);
    const chunk = item.chunks.findIndex(({ first_index, size }) => index >= first_index && index < first_index + size);
    return {
      content: [external_record_id, write.user_id, write.platform_course_id, content_hash].join(' '),
      name,
      isUnchanged: outcome === 'unchanged',
      isKept: item.reverted_at === null,
      place: `${item.created_at} ${item.import_id} ${String(index).padStart(4, '0')}`,
      summarised: history.summaries.get(`${item.import_id}#${chunk}`) ?? Infinity,
      written: isStored ? history.contributions.get(name)?.order : undefined,
      given: history.contributions.get(name)?.what.given === true,
    };
  });
}

function checkStored({ simulation, stack }: Finished, known: ReadonlySet<string>): void {
  for (const item of simulation.table.items()) {
    if (!String(item['pk']).includes('#learner#')) continue;
    for (const name of Object.keys(item).filter((each) => each.startsWith('m#'))) {
      const { import_id, index } = unpackContribution(name, item[name]);
      const isEarlier = import_id.startsWith('before');
      if (!isEarlier && !known.has(`${import_id}#${index}`)) stack.history.violate(`${name} is left`);
    }
  }
}

function checkIdentities(
  { simulation, stack, workload }: Finished,
  bound: ReadonlyMap<string, string>,
  uncertain: ReadonlySet<string>,
): void {
  const stored = new Map(
    [...simulation.table.items()].flatMap((item) => {
      const [, id] = String(item['pk']).split('#record#');
      return id === undefined ? [] : [[id, `${item['user_id']}/${item['platform_course_id']}`] as const];
    }),
  );
  for (const [id, pair] of bound) {
    if (stored.get(id) !== pair) stack.history.violate(`${id} is bound to ${stored.get(id) ?? 'nothing'}, not ${pair}`);
  }
  const isEarlier = (id: string) => workload.history !== undefined && id === 'r-1';
  for (const id of stored.keys()) {
    if (!bound.has(id) && !uncertain.has(id) && !isEarlier(id)) stack.history.violate(`${id} is held for nobody`);
  }
}

function checkRequested({ stack }: Finished, imports: readonly FinishedImport[]): void {
  const reverted = new Set(imports.flatMap(({ item }) => (item.reverted_at === null ? [] : [item.import_id])));
  for (const revert of stack.history.reverts) {
    if ('import_id' in revert && !reverted.has(revert.import_id)) {
      stack.history.violate(`import ${revert.import_id} was never reverted`);
    }
  }
  // A request covers everything that was accepted before it.
  for (const [run_id, askedMs] of stack.history.runReverts) {
    for (const { at, what } of stack.history.commits.values()) {
      const isCovered = what.run_id === run_id && !what.dry_run && at < askedMs;
      if (isCovered && !reverted.has(what.import_id))
        stack.history.violate(
          `import ${what.import_id} was made ${askedMs - at} ms before a revert of its run, and stays`,
        );
    }
  }
}

interface Written {
  readonly name: string;
  readonly write: RecordWrite;
  readonly outcome: 'applied' | 'updated' | 'unchanged' | 'failed';
}

/** What the records of an import wrote or rely on, possibly written abandoned ones included. */
async function writesOf({ item, results }: FinishedImport, { services }: Finished): Promise<Written[]> {
  const plans = await services.stores.imports.readPlans(item, [...item.chunks.keys()]);
  return plans.flatMap((plan) =>
    (plan?.planned ?? []).flatMap(({ result: { index }, write }): Written[] => {
      const result = results[index];
      if (write === undefined || result === undefined) return [];
      const outcome = isOurFault(result) ? 'failed' : result.outcome;
      return outcome === null ? [] : [{ name: `${item.import_id}#${index}`, write, outcome }];
    }),
  );
}
