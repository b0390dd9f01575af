/** The table in memory, which counts what AWS bills, and in `model/` throttles requests beyond its throughput. */
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { type Index, INDEXES } from '../../functions/dynamodb/table.ts';
import { type CommandPlan, type PartResult, planCommand } from '../kit/memory-table/commands.ts';
import { type Attributes, DatabaseError, type Key, type MemoryTable } from '../kit/memory-table/memory-table.ts';
import { type Kind, Throughput, type Units } from './model/throughput.ts';

interface KindCounts {
  writes: number;
  write_units: number;
  /** Bytes of the items after each write. */
  written_bytes: number;
  read_units: number;
}

export interface Counts {
  readonly calls: Record<string, number>;
  /** Units by kind of item; indexes count under `index`. */
  readonly kinds: Record<string, KindCounts>;
}

export const noCounts = (): Counts => ({ calls: {}, kinds: {} });

const kindOf = ({ pk, sk }: Key): string =>
  pk.includes('#learner#') ? 'learner-course' : sk === 'import' ? 'import' : 'other';

interface Input {
  readonly ConsistentRead?: boolean;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly RequestItems?: Readonly<Record<string, { readonly ConsistentRead?: boolean }>>;
}

type Part = () => PartResult | undefined;

export class CountedDatabase {
  counts = noCounts();
  readonly #table: MemoryTable;
  readonly #throughput: Throughput | undefined;
  /** How many units the write that is being made costs for each of its own: a transaction costs two. */
  #times = 0;
  #isCharged = false;

  /** @param limits units a second of the table; without it nothing is throttled. Its indexes are never throttled. */
  constructor(table: MemoryTable, limits?: Units) {
    this.#table = table;
    this.#throughput = limits && new Throughput(limits);
    table.beforeWrite = (key, before, after) => {
      if (this.#times > 0) this.#charge(key, before, after);
    };
  }

  /** Parts of the command that are not admitted stay undone. */
  plan(command: object, onThrottle: (kind: Kind) => void = () => {}): CommandPlan {
    const plan = planCommand(command, this.#table);
    const { input } = command as { readonly input: Input };
    const [name = ''] = plan.name.split(' ');
    this.counts.calls[name] = (this.counts.calls[name] ?? 0) + 1;
    const times = name === 'Transaction' ? 2 : 1;
    const parts = plan.parts.map((part, at) => () => {
      const key = plan.keys[at];
      const result = plan.writes && key ? this.#write(part, key, times) : this.#read(part, input, key);
      if (result === undefined) onThrottle(plan.writes ? 'writes' : 'reads');
      return result;
    });
    return { ...plan, parts, response: (results) => responseOf(plan, results) };
  }

  #admits(kind: Kind, partition: string): boolean {
    return this.#throughput?.admits(kind, partition, this.#table.nowMs()) ?? true;
  }

  #read(part: Part, input: Input, key?: Key): PartResult | undefined {
    const partition = key?.pk ?? String(input.ExpressionAttributeValues?.[':partition']);
    if (!this.#admits('reads', partition)) return undefined;
    const result = part() ?? {};
    const read_units = key ? readUnits(bytesOf(result.value as Attributes), isStrong(input)) : unitsOfQuery(result);
    this.#throughput?.take('reads', partition, read_units);
    this.#count(kindOf(key ?? { pk: partition, sk: '' }), { read_units });
    return result;
  }

  #write(part: Part, key: Key, times: number): PartResult | undefined {
    if (!this.#admits('writes', key.pk)) return undefined;
    const existing = this.#table.read(key);
    [this.#times, this.#isCharged] = [times, false];
    try {
      return part();
    } finally {
      // A condition that failed, or nothing to delete.
      if (!this.#isCharged) this.#take(key, times * writeUnits(existing), 0);
      this.#times = 0;
    }
  }

  #charge(key: Key, before: Attributes | undefined, after: Attributes | undefined): void {
    this.#count('index', { write_units: this.#times * indexUnits(before, after, INDEXES) });
    this.#take(key, this.#times * writeUnits(before, after), bytesOf(after));
  }

  #take(key: Key, write_units: number, written_bytes: number): void {
    this.#throughput?.take('writes', key.pk, write_units);
    this.#count(kindOf(key), { writes: 1, write_units, written_bytes });
    this.#isCharged = true;
  }

  #count(kind: string, added: Partial<KindCounts>): void {
    const counted = (this.counts.kinds[kind] ??= {
      writes: 0,
      write_units: 0,
      written_bytes: 0,
      read_units: 0,
    });
    for (const [member, count] of Object.entries(added) as [keyof KindCounts, number][]) counted[member] += count;
  }
}

function isStrong({ ConsistentRead, RequestItems = {} }: Input): boolean {
  const [batch] = Object.values(RequestItems);
  return (ConsistentRead ?? batch?.ConsistentRead) === true;
}

const unitsOfQuery = ({ value }: PartResult): number =>
  (value as { ConsumedCapacity: { CapacityUnits: number } }).ConsumedCapacity.CapacityUnits;

/** A request of which no part was admitted fails as a whole; each statement of a batch has its own error. */
function responseOf(plan: CommandPlan, results: readonly (PartResult | undefined)[]): unknown {
  const isRefused = results.every((result) => result === undefined) && plan.name !== 'Statements';
  if (isRefused) throw new DatabaseError('ProvisionedThroughputExceededException', 'The request was throttled.');
  return plan.response(results);
}

// AWS's rules for on-demand units, from item sizes (docs.aws.amazon.com/amazondynamodb, "Read and write operations").

type Item = Readonly<Record<string, unknown>>;
const [WRITE_UNIT_BYTES, READ_UNIT_BYTES] = [1024, 4096];

const bytesOf = (item: Item | undefined): number => (item === undefined ? 0 : itemBytes(item));

/** A write costs its larger side in whole kilobytes, at least one unit; one that is refused, the existing item. */
const writeUnits = (before: Item | undefined, after: Item | undefined = before): number =>
  atLeastOne(Math.max(bytesOf(before), bytesOf(after)) / WRITE_UNIT_BYTES);

/** One unit for every 4 KB read strongly, half of it read eventually; an absent item costs the same as 4 KB. */
const readUnits = (bytes: number, strong: boolean): number => atLeastOne(bytes / READ_UNIT_BYTES) * (strong ? 1 : 0.5);

const atLeastOne = (units: number): number => Math.max(1, Math.ceil(units));

/** Each index pays for an entry put, changed or taken out; an entry whose key changes is put and taken out. */
const indexUnits = (before: Item | undefined, after: Item | undefined, indexes: readonly Index[]): number =>
  indexes.reduce((sum, index) => {
    const [was, is] = [entryOf(before, index), entryOf(after, index)];
    if (was?.all === is?.all) return sum;
    return sum + (was?.key === is?.key ? 1 : Number(was !== undefined) + Number(is !== undefined));
  }, 0);

function entryOf(item: Item | undefined, { partitionKey, sortKey, holds }: Index) {
  const [partition, sort] = [item?.[partitionKey], item?.[sortKey]];
  if (typeof partition !== 'string' || typeof sort !== 'string') return undefined;
  const key = JSON.stringify([partition, sort]);
  return { key, all: JSON.stringify([key, holds.map((name) => item?.[name])]) };
}
