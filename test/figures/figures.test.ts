/** Figures: the same as an engine counts, the gate that compares them, and what the documents say. Costs seconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDynamoDb } from '../kit/dynamodb.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { missedGoals, regressions, showing } from './compare.ts';
import figures from './figures.json' with { type: 'json' };
import { readUnitsOf, writeUnitsOf } from './imports.ts';
import { importOf, renewed } from './workload.ts';
import { figuresWorld, type World } from './world.ts';

describe('two counts of the same calls', () => {
  const database = useDynamoDb();

  it('the units that are counted here are those that the embedded engine reports', async () => {
    const { client, table } = database();
    const reported = { writes: 0, reads: 0 };
    const reporting = clientOf(async (command) => {
      Object.assign((command as { input: object }).input, { ReturnConsumedCapacity: 'TOTAL' });
      const response = (await client.send(command as never)) as { ConsumedCapacity?: object };
      const used = [response.ConsumedCapacity ?? []].flat() as { CapacityUnits?: number }[];
      const kind = /^(Get|BatchGet|Query)/.test(command.constructor.name) ? 'reads' : 'writes';
      reported[kind] += used.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      return response;
    });
    const shape = { learners: 15, courses: 2 };
    const records = importOf({ ...shape, classes: 5 });
    const importAll = async (world: World) => {
      for (const [at, each] of [records, records, renewed(records)].entries()) {
        await world.post({ dry_run: false, records: each }, `import-${at}`);
        await world.deliver((run) => run());
      }
    };
    const [counted, engine] = [
      await figuresWorld(shape),
      await figuresWorld({ ...shape, database: { client: reporting, table } }),
    ];
    const { tally } = await counted.measure(() => importAll(counted));
    Object.assign(reported, { writes: 0, reads: 0 });
    await engine.measure(() => importAll(engine));
    expect(reported).toEqual({ writes: writeUnitsOf(tally), reads: readUnitsOf(tally) });
  });
});

describe('the gate', () => {
  it('a figure may grow by 1 %, a bundle by 2 KB; one that is missing fails', () => {
    const was = { a: 100, b: 100, gone: 1, 'bundle bytes: x': 1000 };
    const now = { a: 101, b: 101.1, 'bundle bytes: x': 3048 };
    expect(regressions(was, now).map(({ figure }) => figure)).toEqual(['b', 'gone']);
    expect(regressions(was, { ...was, 'bundle bytes: x': 3049 }).map(({ figure }) => figure)).toEqual([
      'bundle bytes: x',
    ]);
  });

  it('the committed figures are within their goals, and one beyond it is missed', () => {
    expect(missedGoals(figures)).toEqual([]);
    const [missed] = missedGoals({ ...figures, 'organic progress: AWS calls': 559 });
    expect(missed).toEqual({ figure: 'organic progress: AWS calls', most: 85, now: 559 });
  });

  it('docs/costs.md shows the committed figures, and would show others', () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/costs.md'), 'utf8');
    expect(showing(document, figures)).toBe(document);
    const other = showing(document, { ...figures, 'sent again: write units per record': 1234.5678 });
    expect(other).toBe(document.replace('1.12 / 0.144 |', '1.12 / 1,234.568 |'));
  });
});
