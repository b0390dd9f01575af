/**
 * What reverts leave is what there would be if the reverted imports had never been made: a contribution for every successful
 * record of every other import, and nothing else; an id bound where such a record binds it, and free otherwise.
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
}

/** Every contribution that is stored is a record's of an import that was not reverted. */
function checkStored({ simulation, stack }: Finished, known: ReadonlySet<string>): void {
  for (const item of simulation.table.items()) {
    if (!String(item['pk']).includes('#learner#')) continue;
    for (const name of Object.keys(item).filter((each) => each.startsWith('m#'))) {
      const { import_id, index } = unpackContribution(name, String(item[name]));
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

/** What was requested of an import has been done. */
function checkRequested({ stack }: Finished, imports: readonly FinishedImport[]): void {
  const reverted = new Set(imports.flatMap(({ item }) => (item.reverted_at === null ? [] : [item.import_id])));
  for (const revert of stack.history.reverts) {
    if ('import_id' in revert && !reverted.has(revert.import_id)) {
      stack.history.violate(`import ${revert.import_id} was never reverted`);
    }
  }
}

interface Written {
  readonly name: string;
  readonly write: RecordWrite;
  readonly outcome: 'applied' | 'updated' | 'unchanged' | 'failed';
}

/** What the records of an import have written, or rely on. Those that were given up may have. */
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
