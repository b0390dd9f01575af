/**
 * `npm run bench:check`: measures what repeats exactly and fails if any of it is more than 1 % worse than figures.json.
 * With `--write` it commits the present figures to that file instead.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEngines } from './cloud.ts';
import { improvements, regressions } from './compare.ts';
import { type Abuse, measureAbuse } from './abuse.ts';
import { gatedFigures } from './exact.ts';
import { abuseGoals } from './goals.ts';
import committed from './figures.json' with { type: 'json' };

const abuseFigures = ({ parts }: Abuse) =>
  Object.fromEntries(Object.entries(parts).map(([name, dollars]) => [`dollars an hour: ${name}`, dollars]));

const engines = await startEngines();
try {
  const abuse = await measureAbuse(engines);
  const now = { ...(await gatedFigures(engines)), ...abuseFigures(abuse) };
  if (process.argv.includes('--write')) {
    await writeFile(join(import.meta.dirname, 'figures.json'), `${JSON.stringify(now, null, 2)}\n`);
    console.log(`${Object.keys(now).length} figures written`);
  } else {
    const worse = regressions(committed, now);
    for (const { figure, committed: was, now: is } of worse)
      console.error(`worse  ${figure}: ${was} -> ${is ?? 'gone'}`);
    for (const figure of improvements(committed, now)) console.log(`better ${figure}: npm run bench:check -- --write`);
    console.log(`${Object.keys(committed).length} figures compared, ${worse.length} worse by more than 1 %`);
    const missed = abuseGoals(abuse).filter(({ met }) => !met);
    for (const { figure, goal, measured } of missed) console.error(`missed ${figure}: ${measured} instead of ${goal}`);
    process.exitCode = worse.length + missed.length === 0 ? 0 : 1;
  }
} finally {
  await engines.stop();
}
