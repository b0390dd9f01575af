/**
 * `npm run figures`: what a record, a month and an hour of abuse cost. Fails if a figure is more than 1 % worse, or
 * beyond its goal. `-- --write` writes figures.json and docs; `-- machine`, `-- model`, `-- run` and `-- archive` show more.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COSTS, costsDocument, idleDollars } from '../lib/idle-costs.ts';
import { LIMITS, limitsDocument } from '../lib/quotas.ts';
import { abuseFigures } from './abuse.ts';
import { archiveFigures, showArchive } from './archive.ts';
import { bundleFigures } from './bundles.ts';
import { missedGoals, regressions, showing } from './compare.ts';
import { costPerMillion, dryRunPerMillion } from './cost.ts';
import committed from './figures.json' with { type: 'json' };
import { deepPairFigures, nightFigures, revertFigures, showNights } from './histories.ts';
import { importFigures, measureScenarios, PLATFORM } from './imports.ts';
import { countedRunFigures, showLongRun } from './long-run.ts';
import { planFigures } from './plans.ts';
import { figuresWorld } from './world.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    /** Of `machine`: how often each function starts. */
    starts: { type: 'string', default: '3' },
    /** Of `nights`: the deepest history. */
    nights: { type: 'string', default: '1000' },
    /** Of `model`, `nights`, `run` and `archive`. */
    records: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  check,
  machine: async () => (await import('./machine.ts')).measureMachine(Number(values.starts)),
  archive: async () => showArchive(Number(values.records ?? 1_000_000)),
  nights: async () => showNights(Number(values.records ?? 125), Number(values.nights)),
  run: async () => showLongRun(Number(values.records ?? 100_000_000)),
  model: async () => (await import('./model/migration.ts')).showModel(Number(values.seed), Number(values.records ?? 0)),
};

const [name = 'check'] = positionals;
const command = COMMANDS[name];
if (command === undefined) throw new Error(`${name} is none of ${Object.keys(COMMANDS).join(', ')}.`);
await command();

async function exactFigures(): Promise<Record<string, number>> {
  const measured = await measureScenarios(await figuresWorld(PLATFORM));
  const cost = costPerMillion(measured.distinct);
  console.table(cost.lines);
  return {
    ...importFigures(measured),
    'dollars per million records': cost.total,
    'dollars per million records of the usual migration': costPerMillion(measured['the usual migration']).total,
    'dollars per million records of a dry run': dryRunPerMillion(measured['dry run']),
    'dollars per million records on provisioned capacity': cost['on capacity that is provisioned, all of it used'],
    'dollars of the report of a million records': cost['report sent to the client'],
    'dollars of a month of storage of a million records': cost['a month of storage'],
    ...(await revertFigures()),
    ...(await nightFigures()),
    ...(await deepPairFigures()),
    ...(await countedRunFigures()),
    ...(await planFigures()),
    ...(await archiveFigures()),
    ...idleDollars(),
    ...(await bundleFigures()),
    ...(await abuseFigures()),
  };
}

async function check(): Promise<void> {
  const figures = await exactFigures();
  if (values.write === true) {
    await writeFile(join(import.meta.dirname, 'figures.json'), `${JSON.stringify(figures, null, 2)}\n`);
    await writeFile(COSTS, showing(costsDocument().counted, figures));
    await writeFile(LIMITS, limitsDocument().counted);
    console.log(`${Object.keys(figures).length} figures written`);
    return;
  }
  const [worse, missed] = [regressions(committed, figures), missedGoals(figures)];
  for (const { figure, most, now } of worse) console.error(`worse  ${figure}: ${now} instead of ${most} at most`);
  for (const { figure, most, now } of missed) console.error(`missed ${figure}: ${now} instead of ${most} at most`);
  console.log(`${Object.keys(committed).length} figures compared, ${worse.length} worse by more than 1 %`);
  process.exitCode = worse.length + missed.length === 0 ? 0 : 1;
}
