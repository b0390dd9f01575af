/** Courses and course mappings that a processor has read lately, so that a wave of imports does not read them for each chunk. */
import type { Clock } from '../runtime/system.ts';
import type { Course, CourseMapping } from '../shared/model.ts';

/** A changed course or mapping is used at most this long after its change. */
const MOST_AGE_MS = 60_000;
/** Largest difference between the clocks of two functions. */
const CLOCK_MARGIN_MS = 1_000;
/** Limit of the remembered classes of all courses and of the mappings: some 50 MB of the processor's gigabyte. */
const MOST_WEIGHT = 200_000;

interface Memory {
  readonly value: unknown;
  readonly weight: number;
  readonly readAtMs: number;
}

interface Asking {
  readonly company_id: string;
  readonly acceptedAtMs: number;
}

type ReadByIds<Id, Value> = (ids: readonly Id[]) => Promise<Map<Id, Value>>;

export type CourseMemory = ReturnType<typeof courseMemory>;

/** What it remembers was read at most 60 s ago, and after the import was accepted: no earlier change is missed. */
export function courseMemory(clock: Clock) {
  const memories = new Map<string, Memory>();
  let weight = 0;

  const forget = (name: string) => {
    weight -= memories.get(name)?.weight ?? 0;
    memories.delete(name);
  };
  const remember = (name: string, memory: Memory) => {
    forget(name);
    memories.set(name, memory);
    weight += memory.weight;
    // The first key is the one that was read first.
    for (const oldest of memories.keys()) {
      if (weight <= MOST_WEIGHT) return;
      forget(oldest);
    }
  };

  const through = async <Id extends string | number, Value>(
    { company_id, acceptedAtMs }: Asking,
    ids: readonly Id[],
    read: ReadByIds<Id, Value>,
    { kind, weightOf }: { readonly kind: string; readonly weightOf: (value: Value) => number },
  ): Promise<Map<Id, Value>> => {
    const readAtMs = clock.nowMs();
    const nameOf = (id: Id) => JSON.stringify([company_id, kind, id]);
    const earliest = Math.max(acceptedAtMs + CLOCK_MARGIN_MS, readAtMs - MOST_AGE_MS);
    const known = new Map<Id, Value>();
    for (const id of ids) {
      const memory = memories.get(nameOf(id));
      if (memory !== undefined && memory.readAtMs >= earliest) known.set(id, memory.value as Value);
    }
    const found = await read(ids.filter((id) => !known.has(id)));
    for (const [id, value] of found) remember(nameOf(id), { value, weight: weightOf(value), readAtMs });
    return new Map([...known, ...found]);
  };

  return {
    courses: (asking: Asking, ids: readonly number[], read: ReadByIds<number, Course>) =>
      through(asking, ids, read, { kind: 'course', weightOf: ({ classes }) => 1 + classes.length }),
    mappings: (asking: Asking, ids: readonly string[], read: ReadByIds<string, CourseMapping>) =>
      through(asking, ids, read, { kind: 'mapping', weightOf: () => 1 }),
  };
}
