/**
 * `npm run scale`: the real handlers in virtual time, on a database with the limits of DynamoDB's partitions, a queue and
 * functions as the template has them. `-- one-company new-table neighbours lists watchdog cost formula` names cases; without a
 * name all run. `--records 1000000` sets the size of a migration (default 50,000; a warm table gets 300,000 at least), `--seed N`
 * another course of events, `--json` prints JSON, `--write figures.json` keeps the figures that the documents quote. former.json has
 * those of the first release candidate, which had one key for all mappings of a company; they are shown beside.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Report, SCENARIOS } from './scenarios.ts';

const FORMER = join(import.meta.dirname, 'former.json');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    records: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean' },
    write: { type: 'string' },
  },
});

interface Former {
  readonly records: number;
  readonly reports: Readonly<Record<string, Report>>;
}

const former = JSON.parse(readFileSync(FORMER, 'utf8')) as Former;
const size = { seed: Number(values.seed), records: Number(values.records) };
const unknown = positionals.filter((name) => SCENARIOS[name] === undefined);
if (unknown.length > 0) throw new Error(`${unknown.join(', ')} is none of ${Object.keys(SCENARIOS).join(', ')}.`);

const reports: Record<string, Report> = {};
for (const name of positionals.length > 0 ? positionals : Object.keys(SCENARIOS)) {
  const started = performance.now();
  reports[name] = await (SCENARIOS[name] as (typeof SCENARIOS)[string])(size);
  if (values.json === true) continue;
  console.log(
    `\n${name}: ${size.records} records, seed ${size.seed}, ${Math.round((performance.now() - started) / 1_000)} s`,
  );
  for (const [row, figures] of Object.entries(reports[name])) show(row, figures, former.reports[name]?.[row]);
}
if (values.json === true) console.log(JSON.stringify({ records: size.records, reports }, null, 2));
if (values.write !== undefined) {
  const file = join(import.meta.dirname, values.write);
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Former).reports : {};
  writeFileSync(file, `${JSON.stringify({ records: size.records, reports: { ...kept, ...reports } }, null, 2)}\n`);
}

function show(row: string, figures: Report[string], before: Report[string] | undefined): void {
  console.log(`  ${row}`);
  for (const [figure, value] of Object.entries(figures)) {
    const was = before?.[figure] === undefined ? '' : `   (${former.records} records, before: ${before[figure]})`;
    console.log(`    ${figure.replaceAll('_', ' ').padEnd(26)}${value}${was}`);
  }
}
