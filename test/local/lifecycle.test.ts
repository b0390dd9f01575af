import { describe, expect, it } from 'vitest';
import { Shutdown, Stopped } from '../../bin/local/lifecycle.ts';

describe('stopping', () => {
  it('a stop undoes the steps in reverse order, once, even if one of them fails', async () => {
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

  it('a stop during a start undoes the current step at once and ends the start', async () => {
    const shutdown = new Shutdown();
    await shutdown.stop();
    let undone = false;
    await expect(shutdown.add(() => (undone = true))).rejects.toThrow(Stopped);
    expect(undone).toBe(true);
  });
});
