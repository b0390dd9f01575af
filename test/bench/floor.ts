/** The least that any design pays, by arithmetic: what the rules make unavoidable, and nothing for carrying it. */
import prices from './prices.json' with { type: 'json' };

export interface Floor {
  readonly write_units_per_record: number;
  readonly read_units_per_record: number;
  readonly dollars_per_million: number;
}

/** A row to keep the contribution and one to bind its id: two writes that no batch makes cheaper. */
const WRITES = { contribution: 1, identity: 1 };
/** What stands there already is read strongly, the learner eventually; courses are shared by too many records to count. */
const READS = { progress: 1, learner: 0.5 };

export function floor(): Floor {
  const write_units_per_record = WRITES.contribution + WRITES.identity;
  const read_units_per_record = READS.progress + READS.learner;
  const dollars = write_units_per_record * prices.write_unit.price + read_units_per_record * prices.read_unit.price;
  return { write_units_per_record, read_units_per_record, dollars_per_million: Math.round(dollars * 1e10) / 1e4 };
}
