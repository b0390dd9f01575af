/** The generated Python client imports thousands of records from a server with faults. Costs about half a minute. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseFaults } from '../../bin/local/faults.ts';
import { BATCHES, DATA, EVERY_FAULT, LEARNERS } from '../kit/five-thousand.ts';
import { startStackOn } from '../kit/local-stack.ts';
import { byOpenApiGenerator, missing, python } from './generators.ts';

const PROGRAM = join(import.meta.dirname, 'records/under_faults.py');

describe.skipIf(missing !== undefined)('under faults', () => {
  it('a generated client imports 5,000 records once each under every fault at once', async () => {
    const folder = await byOpenApiGenerator('python');
    const records = join(folder, 'records.json');
    writeFileSync(records, JSON.stringify(BATCHES));
    const stack = await startStackOn(DATA, { faults: parseFaults(EVERY_FAULT) });
    try {
      const env = { ...process.env, PYTHONPATH: folder };
      const { stdout } = await promisify(execFile)(join(python(), 'python'), [PROGRAM, stack.url, records], { env });
      expect(JSON.parse(stdout)).toEqual({ ended: BATCHES.map(() => ['success', LEARNERS]), once: true });
    } finally {
      await stack.stop();
    }
  });
});
