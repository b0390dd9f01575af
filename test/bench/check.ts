/**
 * `npm run bench:check`: measures what repeats exactly. Fails if a figure is more than 1 % worse than in figures.json, or beyond
 * its goal. With `--write` it commits the present figures to that file instead.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEngines } from './cloud.ts';
import { improvements, regressions } from './compare.ts';
import { measureExact } from './exact.ts';
import committed from './figures.json' with { type: 'json' };
import { missedGoals } from './goals.ts';

const engines = await startEngines();
try {
  const { figures } = await measureExact(engines);
  if (process.argv.includes('--write')) {
    await writeFile(join(import.meta.dirname, 'figures.json'), `${JSON.stringify(figures, null, 2)}\n`);
    console.log(`${Object.keys(figures).length} figures written`);
  } else {
    const worse = regressions(committed, figures);
    for (const { figure, committed: was, now: is } of worse)
      console.error(`worse  ${figure}: ${was} -> ${is ?? 'gone'}`);
    for (const figure of improvements(committed, figures))
      console.log(`better ${figure}: npm run bench:check -- --write`);
    console.log(`${Object.keys(committed).length} figures compared, ${worse.length} worse by more than 1 %`);
    const missed = missedGoals(figures);
    for (const { figure, goal, measured } of missed) console.error(`missed ${figure}: ${measured} instead of ${goal}`);
    process.exitCode = worse.length + missed.length === 0 ? 0 : 1;
  }
} finally {
  await engines.stop();
}
