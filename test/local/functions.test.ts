import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LocalFunction } from '../../bin/local/functions.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const folder = temporaryFolder('migration-function');

writeFileSync(
  join(folder, 'index.mjs'),
  `let invocations = 0;
   export const handler = async ({ act, ms }, context) => {
     invocations += 1;
     if (act === 'throw') throw new TypeError('bad');
     if (act === 'exit') process.exit(1);
     if (act === 'crash') { setTimeout(() => { throw new Error('late'); }); return new Promise(() => {}); }
     if (act === 'spin') for (;;);
     if (act === 'log') { console.log('plain'); console.error('{"level":"ERROR"}'); }
     if (act === 'nothing') return undefined;
     return {
       invocations, value: process.env.VALUE, own: process.env.PATH === undefined, requestId: context.awsRequestId,
       remaining: context.getRemainingTimeInMillis(), name: context.functionName,
     };
   };`,
);

const started: LocalFunction[] = [];
afterEach(() => Promise.all(started.splice(0).map((each) => each.stop())));

function start(
  options: { timeoutMs?: number; concurrency?: number; lines?: string[]; idleMs?: number } = {},
): LocalFunction {
  const spec = {
    name: 'F',
    bundle: folder,
    environment: { VALUE: 'v' },
    memoryMb: 128,
    timeoutMs: options.timeoutMs ?? 20_000,
  };
  const made = new LocalFunction(spec, options.concurrency ?? 1, (line) => options.lines?.push(line), options.idleMs);
  started.push(made);
  return made;
}

describe('a function on this machine', () => {
  it('a function sees its own environment, nothing of this process’s, and its remaining time', async () => {
    const result = await start().invoke({}, 'request-1');
    expect(result).toMatchObject({ value: 'v', own: true, requestId: 'request-1', name: 'F' });
    expect((result as { remaining: number }).remaining).toBeGreaterThan(1000);
  });

  it('a function is kept warm between invocations', async () => {
    const warm = start();
    await warm.invoke({});
    expect(await warm.invoke({})).toMatchObject({ invocations: 2 });
  });

  it('an execution environment without invocations ends, and another one starts for the next invocation', async () => {
    const one = start({ idleMs: 0 });
    expect(await one.invoke({})).toMatchObject({ invocations: 1 });
    await expect.poll(() => one.invoke({})).toMatchObject({ invocations: 1 });
  });

  it('a function returns null if its handler returns nothing', async () => {
    expect(await start().invoke({ act: 'nothing' })).toBeNull();
  });

  it('a function survives an exception of its handler', async () => {
    const one = start();
    await expect(one.attempt({ act: 'throw' })).rejects.toThrow('TypeError: bad');
    expect(await one.invoke({})).toMatchObject({ invocations: 2 });
  });

  it.each(['exit', 'crash'])('a function is replaced after a failure like %s', async (act) => {
    const one = start();
    await expect(one.attempt({ act })).rejects.toMatchObject({ survives: false });
    expect(await one.invoke({})).toMatchObject({ invocations: 1 });
  });

  it('a function is terminated at its time-out, even in a busy loop', async () => {
    const one = start({ timeoutMs: 400 });
    await expect(one.attempt({ act: 'spin' })).rejects.toThrow('timed out');
  });

  it('a function runs up to its concurrency; further invocations wait in order', async () => {
    const one = start({ concurrency: 2 });
    const results = await Promise.all(Array.from({ length: 6 }, () => one.invoke({})));
    const total = results.map((result) => (result as { invocations: number }).invocations);
    expect(Math.max(...total)).toBeGreaterThanOrEqual(3);
  });

  it('a function logs faults, and rejects waiting invocations when it stops', async () => {
    const lines: string[] = [];
    const one = start({ lines });
    await expect(one.invoke({ act: 'throw' }, 'r')).rejects.toThrow('bad');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'ERROR', function: 'F', requestId: 'r' });
    const waiting = Promise.allSettled([one.invoke({ act: 'spin' }), one.invoke({})]);
    await one.stop();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
