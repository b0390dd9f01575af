/** The table in memory behind the limits of DynamoDB: requests beyond its throughput are throttled. */
import { INDEXES } from '../../functions/dynamodb/table.ts';
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { type IndexWrite, indexWrites, readUnits, unitsOfWrite } from '../bench/meter/units.ts';
import { type CommandPlan, type PartResult, planCommand } from '../kit/memory-table/commands.ts';
import { type Attributes, DatabaseError, type Key, type MemoryTable } from '../kit/memory-table/memory-table.ts';
import { NEW_TABLE } from './assumptions.ts';
import { type Heat, type Kind, Throughput, type Units } from './throughput.ts';

/** Thrown while a write is made; the item stays as it is. */
class Throttled extends Error {}

interface Write {
  readonly pk: string;
  readonly units: number;
  readonly indexes: readonly IndexWrite[];
}

interface Input {
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly RequestItems?: Readonly<Record<string, { readonly ConsistentRead?: boolean }>>;
}

export interface LimitedDatabaseOptions {
  readonly table: MemoryTable;
  readonly limits: Units;
  readonly splitsAfterMs?: number;
}

type Part = () => PartResult | undefined;
type OnThrottle = (kind: Kind) => void;

export class LimitedDatabase {
  /** Requests by name, those that were throttled as a whole included. */
  readonly calls: Record<string, number> = {};
  readonly #options: LimitedDatabaseOptions;
  readonly #own: Throughput;
  readonly #indexes: ReadonlyMap<string, Throughput>;
  #isCharging = false;
  #charged = 0;

  constructor(options: LimitedDatabaseOptions) {
    this.#options = options;
    const { table, splitsAfterMs } = options;
    const throughput = (name: string, limits: Units) =>
      new Throughput({ name, limits, nowMs: table.nowMs(), ...(splitsAfterMs !== undefined && { splitsAfterMs }) });
    this.#own = throughput('', options.limits);
    this.#indexes = new Map(INDEXES.map(({ name }) => [name, throughput(`${name}: `, NEW_TABLE)]));
    table.beforeWrite = (key, before, after) => {
      if (this.#isCharging) this.#charge(writeOf(key, before, after));
    };
  }

  get units(): Units {
    const all = [this.#own, ...this.#indexes.values()];
    const sum = (kind: Kind) => all.reduce((total, { used }) => total + used[kind], 0);
    return { writes: sum('writes'), reads: sum('reads') };
  }

  /** Of the table and its indexes. */
  get hottest(): Heat {
    const all = [this.#own, ...this.#indexes.values()];
    for (const each of all) each.end(this.#options.table.nowMs());
    return all.map(({ hottest }) => hottest).reduce((a, b) => (b.share > a.share ? b : a));
  }

  /** The command as it is executed here: parts that are not admitted stay undone. */
  plan(command: object, onThrottle: OnThrottle): CommandPlan {
    const { table } = this.#options;
    const plan = planCommand(command, table);
    const { input } = command as { readonly input: Input };
    this.calls[plan.name] = (this.calls[plan.name] ?? 0) + 1;
    const carriedOut = (part: Part, at: number) =>
      plan.writes ? this.#write(part, plan.keys[at] as Key) : this.#read(part, input, plan.keys[at]);
    const parts = plan.parts.map((part, at) => () => {
      const result = carriedOut(part, at);
      if (result === undefined) onThrottle(plan.writes ? 'writes' : 'reads');
      return result;
    });
    return { ...plan, parts, response: (results) => answerOf(plan, results) };
  }

  #read(part: Part, input: Input, key: Key | undefined): PartResult | undefined {
    const nowMs = this.#options.table.nowMs();
    const of = this.#indexes.get(input.IndexName ?? '') ?? this.#own;
    const partition = key?.pk ?? String(input.ExpressionAttributeValues?.[':partition']);
    if (!of.admits('reads', partition, nowMs)) return undefined;
    const result = part() ?? {};
    const units = key === undefined ? unitsOfQuery(result) : unitsOfItem(result, isStrong(input));
    of.take('reads', partition, { units, nowMs });
    return result;
  }

  #write(part: Part, key: Key): PartResult | undefined {
    const { table } = this.#options;
    if (!this.#own.admits('writes', key.pk, table.nowMs())) return undefined;
    const existing = table.read(key);
    this.#isCharging = true;
    this.#charged = 0;
    try {
      const result = part();
      // A condition that failed, or nothing to delete.
      if (this.#charged === 0) this.#charge({ pk: key.pk, units: unitsOfWrite(bytesOf(existing)), indexes: [] });
      return result;
    } catch (error) {
      if (!(error instanceof Throttled)) throw error;
      return undefined;
    } finally {
      this.#isCharging = false;
    }
  }

  /** An index that throttles delays the write to the table. */
  #charge({ pk, units, indexes }: Write): void {
    const nowMs = this.#options.table.nowMs();
    const written = indexes.map(({ index, ...write }) => ({ ...write, of: this.#indexes.get(index) as Throughput }));
    if (written.some(({ of, partition }) => !of.admits('writes', partition, nowMs))) throw new Throttled();
    this.#own.take('writes', pk, { units, nowMs });
    for (const write of written) write.of.take('writes', write.partition, { units: write.units, nowMs });
    this.#charged += units;
  }
}

function writeOf({ pk }: Key, before: Attributes | undefined, after: Attributes | undefined): Write {
  return {
    pk,
    units: unitsOfWrite(Math.max(bytesOf(before), bytesOf(after))),
    indexes: indexWrites(before, after, INDEXES),
  };
}

function isStrong({ ConsistentRead, RequestItems = {} }: Input): boolean {
  const [batch] = Object.values(RequestItems);
  return (ConsistentRead ?? batch?.ConsistentRead) === true;
}

const bytesOf = (item: Attributes | undefined): number => (item === undefined ? 0 : itemBytes(item));
const unitsOfItem = ({ value }: PartResult, strong: boolean): number =>
  readUnits(bytesOf(value as Attributes | undefined), strong);
const unitsOfQuery = ({ value }: PartResult): number =>
  (value as { ConsumedCapacity: { CapacityUnits: number } }).ConsumedCapacity.CapacityUnits;

/** A request of which no part was admitted fails as a whole; each statement of a batch has its own error. */
function answerOf(plan: CommandPlan, results: readonly (PartResult | undefined)[]): unknown {
  const isRefused = results.every((result) => result === undefined) && plan.name !== 'Statements';
  if (isRefused) throw new DatabaseError('ProvisionedThroughputExceededException', 'The request was throttled.');
  return plan.response(results);
}
