/** Extras outside of the protocol, which `Surroundings.tla` specifies. Some histories have one each. */
import { Dice } from '../../kit/dice.ts';
import type { PlannedImport, Workload } from '../../simulation/workload.ts';
import { mapUser } from '../../simulation/world.ts';
import { EMAILS } from './spoken-state.ts';
import { dryRunOf } from './surroundings-recorder.ts';

/** A record as the specification has it: its pair and its content. */
export interface SentRecord {
  /** `none` if an earlier record of the import has the same id: then it is rejected. */
  readonly pair: 'p' | 'q' | 'none';
  readonly content: number;
  readonly replaces: boolean;
}

/** By chunk. */
type SentRecords = Readonly<Record<string, SentRecord>>;

export interface Sent {
  readonly workload: Workload;
  readonly records: SentRecords;
  /** The import whose records name external ids that were linked to the other user just before. */
  readonly remapped?: string;
}

type Extra = (sent: Sent, dice: Dice) => Sent;

function changed({ workload, records }: Sent, name: string, change: (planned: PlannedImport) => PlannedImport): Sent {
  const imports = workload.imports.map((planned) => (planned.key === name ? change(planned) : planned));
  return { workload: { ...workload, imports }, records };
}

function added({ workload, records }: Sent, of: string, change: Partial<PlannedImport>): Sent {
  const same = workload.imports.filter(({ key }) => key === of);
  const others = same.map(({ cancelsMs: _, ...planned }): PlannedImport => ({ ...planned, ...change }));
  return { workload: { ...workload, imports: [...workload.imports, ...others] }, records };
}

/** The second record of an import has the id of the first, and a learner who is never erased. */
const doubled: Extra = (sent, dice) => {
  const name = dice.pick(['A', 'B', 'C']);
  const { workload, records } = changed(sent, name, (planned) => {
    const [first, second] = planned.records as [object, object];
    return { ...planned, records: [first, { ...second, external_record_id: 'r-0', user: { email: EMAILS.q } }] };
  });
  const second: SentRecord = { content: 0, replaces: false, ...records[`${name}1`], pair: 'none' };
  return { workload, records: { ...records, [`${name}1`]: second } };
};

/** The simulator links it to the user of `p` at the start. */
const external_user_id = '9001';

const remapped: Extra = (sent, dice) => {
  const name = dice.pick(['B', 'C']);
  const atMs = 1_000 + dice.below(1_000);
  const { workload, records } = changed(sent, name, (planned) => ({
    ...planned,
    atMs,
    records: planned.records.map((record) => ({ ...(record as object), user: { external_user_id } })),
  }));
  const before = Object.entries(records).map(([c, record]): [string, SentRecord] => [
    c,
    c.startsWith(name) ? { ...record, pair: 'p' } : record,
  ]);
  return {
    workload: { ...workload, changes: [[atMs - dice.between(1, 300), mapUser(external_user_id, 2)]] },
    records: Object.fromEntries(before),
    remapped: name,
  };
};

const reused: Extra = (sent, dice) => added(sent, dice.pick(['A', 'B', 'C']), { atMs: 80_000, run_id: 'other' });

const dry: Extra = (sent) => added(sent, 'A', { key: dryRunOf(), dry_run: true, racing: 2 });

/** The first learner course is full, or nearly. */
const long: Extra = ({ workload, records }, dice) => ({
  workload: { ...workload, history: { items: 1, space: dice.pick([0, 400]), id: 'earlier' } },
  records,
});

/** No function is started for more than a day. */
const outage: Extra = ({ workload, records }, dice) => ({
  workload: { ...workload, outageMs: [dice.between(50, 400), 30 * 3_600_000] },
  records,
});

/** @param sent with neither reverts nor an erasure */
export function withExtra(seed: number, sent: Sent): Sent {
  const dice = new Dice(seed, 14);
  return dice.pick([doubled, remapped, reused, dry, long, outage])(sent, dice);
}
