/** A process that reads the workbooks of a folder, one after another, and prints a line of JSON for each. */
import { existsSync, openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWords } from '../../../../bin/importer/command/advice.ts';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { each } from '../../../../bin/importer/engine/read/pieces.ts';

const [, , folder = ''] = process.argv;

const STATUS = '/proc/self/status';

/** The most memory that this process had. On Linux `maxRSS` includes that of the process which started it. */
function peakKibibytes(): number {
  if (!existsSync(STATUS)) return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(STATUS, 'utf8'))?.[1]);
}

async function refusalOf(name: string): Promise<string | undefined> {
  const blob = await openAsBlob(join(folder, name));
  const file = { name, size: blob.size, slice: (start: number, end: number) => blob.slice(start, end) };
  try {
    for await (const _ of each((await openSource(file)).rows())) continue;
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return inWords(error);
    throw error;
  }
}

for (const name of readdirSync(folder)) {
  const before = process.cpuUsage();
  const refusal = await refusalOf(name);
  const { user, system } = process.cpuUsage(before);
  console.log(
    JSON.stringify({
      name,
      refusal,
      seconds: (user + system) / 1e6,
      mebibytes: peakKibibytes() / 1024,
    }),
  );
}
