/** The history of a run: responses and writes, in the order in which they happened. */
import { gateKey } from '../../functions/dynamodb/table.ts';
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { unpackContribution } from '../../functions/imports/contribution-item.ts';
import { unpackGate } from '../../functions/jobs/gate.ts';
import { unpackImport } from '../../functions/imports/import-item.ts';
import { overflowItems, toCourseHistory } from '../../functions/imports/progress-store.ts';
import type {
  Contribution,
  CourseHistory,
  ImportItem,
  ImportRevert,
  ImportSummary,
  Run,
  RunRevert,
} from '../../functions/shared/model.ts';
import { ANN_ID } from '../erasure/person.ts';
import type { Attributes, Key, MemoryTable } from '../kit/memory-table/memory-table.ts';
import { foldIsRight } from './folds.ts';
import type { Simulation } from './simulation.ts';
import type { PlannedImport } from './workload.ts';
import { COMPANY } from './world.ts';

export interface Answer {
  readonly request: PlannedImport;
  readonly status: number;
  readonly body: unknown;
  readonly import_id: string;
}

/** Polls are in the order in which those of one client ended. */
export interface Poll {
  readonly client: number;
  readonly import_id: string;
  readonly body: unknown;
  readonly records: readonly unknown[];
}

/** A run as it was read. `undefined`: it was not found. */
export interface RunRead {
  readonly run_id: string;
  readonly body: Run | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Written<T> {
  readonly at: number;
  readonly order: number;
  readonly what: T;
}

export interface Told {
  readonly facts: readonly object[];
  readonly response: { readonly results: readonly { readonly status: string; readonly erased_at?: string | null }[] };
}

type PairText = string;

/** Of `m#IMPORT#INDEX`. */
const importOf = (name: string): string => name.split('#').slice(0, 2).join('#');

export class History {
  readonly responses: Answer[] = [];
  readonly polls: Poll[] = [];
  readonly events: Written<ImportSummary & { readonly event_id: string; readonly type: string }>[] = [];
  readonly reverts: (ImportRevert | RunRevert)[] = [];
  readonly runReverts: (readonly [run_id: string, askedMs: number])[] = [];
  readonly reads: RunRead[] = [];
  readonly told: Told[] = [];
  readonly messages: string[] = [];
  readonly lines: unknown[] = [];
  /** What others had when a person was erased. */
  others: ReadonlyMap<string, string> = new Map();
  readonly violations: string[] = [];
  readonly reverted = new Set<string>();
  readonly commits = new Map<string, Written<ImportItem>>();
  readonly terminals = new Map<string, Written<ImportItem>>();
  /** First writing of each contribution, by `import#index`. */
  readonly contributions = new Map<string, Written<Contribution & { pair: PairText; item: string; given: boolean }>>();
  /** When each chunk got its summary, by `import#chunk`. */
  readonly summaries = new Map<string, number>();
  /** Reverts that were requested and have done nothing yet; below, plans put while the gate was still open for them. */
  readonly #waiting = new Set<string>();
  readonly plannedTooEarly: string[] = [];
  /** The revert that gives contributions to the records that rely on its imports. */
  #giving: string | undefined;
  /** When each plan was applied, or cancelled. */
  readonly applied = new Map<string, Written<string>>();
  readonly identities = new Map<string, Written<PairText>>();
  readonly plans = new Map<string, Written<Attributes>>();
  /** By external id: the users to whom it was linked. */
  readonly userMappings = new Map<string, Written<number>[]>();
  /** Whether the platform's own data is changing. */
  isPlatform = false;
  /** Ids that were freed because only abandoned records had claimed them. */
  readonly #abandoned = new Set<string>();
  #order = 0;
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    simulation.table.onWrite = (key, before, after) => {
      this.#order += 1;
      if (!simulation.quiet) simulation.note(`write ${key.pk} ${key.sk}`);
      if (key.sk === 'plan') this.#seeEnd(key, before, after);
      this.#see(key, before, after);
    };
  }

  get isReplacing(): boolean {
    return [...this.commits.values()].some(({ what }) => what.replace === true);
  }

  sent(type: string, detail: string): void {
    this.#order += 1;
    this.events.push(this.#now({ ...JSON.parse(detail), type }));
  }

  violate(what: string): void {
    this.violations.push(what);
  }

  #now<T>(what: T): Written<T> {
    return { at: this.#simulation.nowMs, order: this.#order, what };
  }

  #see(key: Key, before: Attributes | undefined, after: Attributes | undefined): void {
    // A delete succeeds even if there is no item.
    if (before === undefined && after === undefined) return;
    if (key.pk.includes('#record#')) this.#seeIdentity(key, before, after);
    else if (key.pk.endsWith(`#learner#${ANN_ID}`)) return;
    else if (key.pk.includes('#learner#')) this.#seeProgress(key, before, after);
    else if (key.sk === 'import') this.#seeImport(before, after);
    else if (key.sk === 'revert') this.#seeRevert(key, after);
    else if (key.sk.startsWith('plan#')) this.#seePlan(key, before, after);
    else if (key.pk.includes('#user-mappings#')) this.#seeUserMapping(key, after);
  }

  #seeEnd({ pk }: Key, before: Attributes | undefined, after: Attributes | undefined): void {
    const [was, is] = [before?.['status'], String(after?.['status'])];
    if (was === 'applying' && is === 'withdrawn') this.violate(`${pk} was withdrawn while it was applied`);
    if (was === 'applying' && is !== was) this.applied.set(pk.split('#').at(-1) ?? '', this.#now(is));
  }

  #seeUserMapping({ sk }: Key, after: Attributes | undefined): void {
    if (after?.['user_id'] === undefined) return;
    this.userMappings.set(sk, [...(this.userMappings.get(sk) ?? []), this.#now(Number(after['user_id']))]);
  }

  #seeRevert({ pk }: Key, after: Attributes | undefined): void {
    this.#giving = after?.['phase'] === 'giving' ? pk : undefined;
    if (after?.['phase'] === 'waiting') this.#waiting.add(pk);
    else this.#waiting.delete(pk);
  }

  #seeIdentity({ pk }: Key, before: Attributes | undefined, after: Attributes | undefined): void {
    const pairOf = (item: Attributes | undefined) => item && `${item['user_id']}/${item['platform_course_id']}`;
    const id = pk.split('#record#')[1] ?? '';
    if (before !== undefined && after === undefined) return this.#seeFreed(id, before);
    if (before !== undefined && pairOf(before) !== pairOf(after)) this.violate(`the identity of ${id} moved`);
    if (before === undefined) this.identities.set(id, this.#now(pairOf(after) ?? ''));
  }

  #seeFreed(id: string, { unused_at }: Attributes): void {
    if (unused_at !== undefined) this.#abandoned.add(id);
    else if (!this.#isClosed()) this.violate(`the identity of ${id} was removed`);
    this.identities.delete(id);
  }

  #isClosed(by = ''): boolean {
    return unpackGate(this.#simulation.table.read(gateKey(COMPANY))).by?.startsWith(by) === true;
  }

  /** Only an erasure changes stored decisions. */
  #isErasing(): boolean {
    return this.#isClosed('erasure#');
  }

  #seePlan({ pk, sk }: Key, before: Attributes | undefined, after: Attributes | undefined): void {
    if (before === undefined && this.#waiting.size > 0 && !this.#isClosed()) this.plannedTooEarly.push(`${pk} ${sk}`);
    if (before === undefined && after !== undefined) this.plans.set(`${pk} ${sk}`, this.#now(after));
    else if (!this.#isErasing() && JSON.stringify(before) !== JSON.stringify(after))
      this.violate(`the plan ${pk} ${sk} changed after it was made`);
  }

  #seeImport(before: Attributes | undefined, after: Attributes | undefined): void {
    const [was, is] = [before && unpackImport(before), after && unpackImport(after)];
    if (is === undefined) return this.violate('an import was removed');
    if (was === undefined) this.commits.set(is.import_id, this.#now(is));
    const wasOpen = was === undefined || was.status === 'processing';
    if (wasOpen && is.status !== 'processing') this.terminals.set(is.import_id, this.#now(is));
    if (is.reverted_at !== null) this.reverted.add(is.import_id);
    if (was !== undefined) this.#compareImports(was, is);
  }

  #compareImports(was: ImportItem, is: ImportItem): void {
    const wasTerminal = was.status !== 'processing';
    if (wasTerminal && (was.status !== is.status || was.completed_at !== is.completed_at))
      this.violate('a terminal status changed');
    if (was.created_at !== is.created_at || was.fingerprint !== is.fingerprint)
      this.violate('an import was created twice');
    const isNew = (chunk: string) => was.summaries[Number(chunk)] === undefined;
    for (const chunk of Object.keys(is.summaries).filter(isNew))
      this.summaries.set(`${is.import_id}#${chunk}`, this.#order);
    for (const [chunk, summary] of Object.entries(was.summaries)) {
      const kept = JSON.stringify(is.summaries[Number(chunk)]) === JSON.stringify(summary);
      if (!kept && !this.#isErasing()) this.violate(`the summary of chunk ${chunk} changed`);
    }
  }

  #seeProgress(key: Key, before: Attributes | undefined, after: Attributes | undefined): void {
    if (after === undefined) return this.violate('a learner-course item was removed');
    const [was, is] = [learnerCourse(key, before), learnerCourse(key, after)];
    if (!this.isPlatform && before?.['native'] !== after['native'])
      this.violate('an import changed the organic progress');
    this.#seeLoss(key, { before: before ?? {}, after }, lossOf(was, is));
    this.#seeSpace(key, before, after);
    this.#seeFold(key);
    for (const name in after) {
      if (!name.startsWith('m#') || before?.[name] === after[name]) continue;
      this.#seeContribution(name, after[name], {
        pair: `${is.user_id}/${is.platform_course_id}`,
        item: key.sk,
      });
    }
  }

  #seeFold(key: Key): void {
    if (foldIsRight(key, this.#simulation.table)) return;
    this.violate(`the fold beside ${key.sk} says something else than its items`);
  }

  /** The first item must name an overflow item before that is written, so that readers find it. */
  #seeNewItem({ pk, sk }: Key): void {
    const [kind = '', course = '', item = '0'] = sk.split('#');
    const named = overflowItems(this.#simulation.table.read({ pk, sk: `${kind}#${course}` }));
    if (named < Number(item)) this.violate(`the item ${sk} was written, and the first one names ${named}`);
  }

  /**
   * An item's space is limited: an update counts the contributions that it adds. Those of the same import that a revert has passed on
   * before may be written once more, and counted twice.
   */
  #seeSpace(key: Key, before: Attributes | undefined, after: Attributes): void {
    if (before === undefined) return this.#seeNewItem(key);
    const fresh = Object.entries(after).filter(([name]) => name.startsWith('m#') && !(name in before));
    const imports = new Set(fresh.map(([name]) => importOf(name)));
    const known = Object.entries(before).filter(([name]) => imports.has(importOf(name)));
    const [bytes, again] = [fresh, known].map((entries) => itemBytes(Object.fromEntries(entries))) as [number, number];
    const counted = Number(after['added'] ?? 0) - Number(before['added'] ?? 0);
    if (counted < bytes || counted > bytes + again)
      this.violate(`an update added ${bytes} bytes of contributions and counted ${counted}`);
  }

  /** Only a revert removes anything. */
  #seeLoss({ pk, sk }: Key, { before, after }: Record<'before' | 'after', Attributes>, loss: string | undefined): void {
    const isReverted = Object.keys(before).some((name) => name.startsWith('m#') && !(name in after));
    if (isReverted && !this.#isClosed()) this.violate(`a contribution was removed from ${pk} ${sk}`);
    if (!isReverted && loss !== undefined) this.violate(`effective progress fell: ${loss} at ${pk} ${sk}`);
  }

  #seeContribution(name: string, value: unknown, { pair, item }: { pair: PairText; item: string }): void {
    const given = this.#giving !== undefined;
    const contribution = { ...unpackContribution(name, value), pair, item, given };
    const id = `${contribution.import_id}#${contribution.index}`;
    const known = this.contributions.get(id);
    if (known === undefined) this.contributions.set(id, this.#now(contribution));
    else if (known.what.item !== item && !this.#simulation.bounded)
      this.violate(`contribution ${id} was written a second time, to ${item}`);
    else if (JSON.stringify({ ...known.what, item, given }) !== JSON.stringify(contribution))
      this.violate(`contribution ${id} was written with other content`);
    this.#seeBinding(contribution);
  }

  /** An invocation that outlives its time-out by hours may write an abandoned record. */
  #seeBinding({ external_record_id: id, import_id, pair }: Contribution & { pair: PairText }): void {
    const isLate = !this.#simulation.bounded && this.#abandoned.has(id);
    const bound = this.identities.get(id)?.what;
    if (bound === pair || isLate || import_id.startsWith('before')) return;
    this.violate(`a contribution of ${id} was written to ${pair}, its id is bound to ${bound ?? 'nothing'}`);
  }
}

function learnerCourse({ pk, sk }: Key, item: Attributes | undefined, overflow?: Attributes[]): CourseHistory {
  const user_id = Number(pk.split('#learner#')[1]);
  const platform_course_id = Number(sk.split('#')[1]);
  return toCourseHistory({ user_id, platform_course_id }, item ?? {}, overflow);
}

/** All that readers find about a learner in a course, overflow items included. */
export function storedCourse(key: Key, table: MemoryTable): CourseHistory {
  const first = table.read(key);
  const further = Array.from({ length: overflowItems(first) }, (_, before) =>
    table.read({ ...key, sk: `${key.sk}#${before + 1}` }),
  );
  return learnerCourse(
    key,
    first,
    further.filter((item) => item !== undefined),
  );
}

/** The values for which "never lowered" is promised: percentage, classes, certification. */
export function heights({ native, contributions }: Pick<CourseHistory, 'native' | 'contributions'>) {
  const sources = [...(native === null ? [] : [native]), ...contributions];
  return {
    completion_pct: Math.max(-1, ...sources.map((source) => source.completion_pct)),
    approved_course: Math.max(0, ...sources.map((source) => source.approved_course)),
    classes: new Set(sources.flatMap((source) => source.classes.map(({ platform_class_id }) => platform_class_id))),
  };
}

export function lossOf(was: CourseHistory, is: CourseHistory): string | undefined {
  const [before, after] = [heights(was), heights(is)];
  if (after.completion_pct < before.completion_pct) return `${before.completion_pct} % to ${after.completion_pct} %`;
  if (after.approved_course < before.approved_course) return 'the certification';
  const gone = [...before.classes].filter((id) => !after.classes.has(id));
  return gone.length > 0 ? `classes ${gone.join(', ')}` : undefined;
}
