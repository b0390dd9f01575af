/**
 * Generated tables, read with the mapping that is drafted for them, against a reference that knows the truth. Costs a second; 10,000
 * tables at length half a minute.
 */
import { describe, expect, it } from 'vitest';
import { draftMapping } from '../../../../bin/importer/engine/records/draft-mapping.ts';
import { openRecords } from '../../../../bin/importer/engine/records/open-records.ts';
import { memberOf } from '../../../../bin/importer/engine/mapping/fields.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';
import { cases, FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';
import { type Table, tableOf } from './tables.ts';

const TABLES = cases(10_000, 200);

interface Verdict {
  readonly wrong: readonly string[];
  readonly right: number;
}

/** The records that a script would import, compared with what the rows mean; `undefined` if it would ask. */
async function verdictOn({ csv, truth }: Table): Promise<Verdict | undefined> {
  const { mapping } = await draftMapping(await openSource(new File([csv], 'history.csv')));
  if (mapping.guesses !== undefined) return undefined;
  const chosen = { mapping, path: undefined };
  const records = await openRecords(new File([csv], 'history.csv'), { mapping: chosen, mappingFor: () => chosen });
  const wrong: string[] = [];
  let right = 0;
  for await (const { record, row } of records.read().entries) {
    const known = truth.find(({ line }) => line === row.line);
    const pct = memberOf(record, 'progress.completion_pct');
    // A text in place of a percentage is rejected.
    if (known === undefined || typeof pct !== 'number') continue;
    const faults = faultsOf(record, pct, known);
    if (faults.length > 0) wrong.push(`line ${row.line}: ${faults.join(', ')}`);
    else right += 1;
  }
  return { wrong, right };
}

function faultsOf(record: unknown, pct: number, truth: Table['truth'][number]): string[] {
  const at = memberOf(record, 'progress.completed_at');
  const completed = typeof at === 'string' ? at.slice(0, 10) : undefined;
  const facts: readonly (readonly [boolean, string])[] = [
    [pct >= 100 === truth.isCompleted, `${pct} %, completed`],
    [truth.pct === undefined || truth.pct === pct, `${pct} %`],
    [(memberOf(record, 'assessment.status') === 'passed') === truth.isCertified, 'certified'],
    [truth.completed === undefined || truth.completed === completed, `completed on ${completed}`],
    [truth.isCompleted || completed === undefined, `completed on ${completed}`],
  ];
  return facts.flatMap(([isTrue, fault]) => (isTrue ? [] : [fault]));
}

describe('drafted mappings', () => {
  it(`no record of ${TABLES} generated tables says what its row does not`, async () => {
    const wrong: string[] = [];
    const counts = { right: 0, asked: 0, nothing: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + TABLES; seed += 1) {
      const table = tableOf(new Dice(seed));
      const verdict = await verdictOn(table);
      if (verdict === undefined) counts.asked += 1;
      else if (verdict.right > 0) counts.right += 1;
      else counts.nothing += 1;
      wrong.push(...(verdict?.wrong ?? []).map((each) => `seed ${seed}, ${each}\n${table.csv}`));
    }
    process.stderr.write(`${TABLES} tables: ${JSON.stringify(counts)}\n`);
    expect(wrong).toEqual([]);
    expect(counts.right).toBeGreaterThan(TABLES * 0.6);
  }, 900_000);
});
