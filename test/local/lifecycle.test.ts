import { describe, expect, it } from 'vitest';
import { Shutdown, Stopped } from '../../bin/local/lifecycle.ts';

describe('stopping', () => {
  it('undoes the steps in reverse, once, and none of them keeps the others from being undone', async () => {
    const shutdown = new Shutdown();
    const undone: string[] = [];
    await shutdown.add(() => undone.push('first'));
    await shutdown.add(() => {
      throw new Error('stuck');
    });
    await shutdown.add(() => undone.push('last'));
    await Promise.all([shutdown.stop(), shutdown.stop()]);
    expect(undone).toEqual(['last', 'first']);
  });

  it('undoes at once what a start that goes on meanwhile has done, and ends that start', async () => {
    const shutdown = new Shutdown();
    await shutdown.stop();
    let undone = false;
    await expect(shutdown.add(() => (undone = true))).rejects.toThrow(Stopped);
    expect(undone).toBe(true);
  });
});
