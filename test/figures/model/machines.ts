/** Lambda: environments that run one invocation at a time, with a part of a CPU; started when none is free. */
import { PATIENT_CLIENT } from '../../../functions/runtime/faults.ts';
import type { Services } from '../../kit/world.ts';
import type { Call } from '../../simulation/invocation.ts';
import type { Caller } from '../../simulation/services.ts';
import type { Simulation } from '../../simulation/simulation.ts';
import type { FunctionLimits } from '../deployment.ts';
import { latencyOf } from '../world.ts';

/** Times the usual time of a call. The refusal of a throttled one is quicker: it touches no storage. */
const SPREAD = { least: 0.5, most: 1.5 };
const REFUSAL_MS = 3;
/** Microseconds of a whole vCPU, by `-- machine` when idle: 166 to 205 a record of four items, 24 to 60 to accept. */
export const CPU_US = { item: 166 / 4, acceptedRecord: 60, call: 200 };
const COLD_START_MS = 500;

const { acquireInitialRetryToken, refreshRetryTokenForRetry } = PATIENT_CLIENT.retryStrategy;

export const pause = (simulation: Simulation, ms: number): Promise<void> =>
  new Promise((resolve) => {
    simulation.after(ms, () => {
      simulation.touch();
      resolve();
    });
  });

class Environment implements Caller {
  readonly kind = 'function';
  readonly services: Services;
  readonly #simulation: Simulation;
  readonly #cpu: number;
  #cpuFreeAtMs = 0;

  constructor(simulation: Simulation, cpu: number, servicesOf: (by: Caller) => Services) {
    this.#simulation = simulation;
    this.#cpu = cpu;
    this.services = servicesOf(this);
  }

  nowMs(): number {
    return this.#simulation.nowMs;
  }

  sleep(ms: number): Promise<void> {
    return pause(this.#simulation, ms);
  }

  /** A call as the SDK makes it, with the retries that the code configures. */
  async io(call: Call): Promise<unknown> {
    let token = await acquireInitialRetryToken();
    for (;;) {
      try {
        return await this.#attempt(call);
      } catch (error) {
        const isThrottle = error instanceof Error && error.name === 'ProvisionedThroughputExceededException';
        const errorType = isThrottle ? 'THROTTLING' : 'CLIENT_ERROR';
        const next = await refreshRetryTokenForRetry(token, { errorType }).catch(() => undefined);
        if (next === undefined) throw error;
        token = next;
      }
      await this.sleep(token.getRetryDelay());
    }
  }

  async compute(microseconds: number): Promise<void> {
    const startMs = Math.max(this.nowMs(), this.#cpuFreeAtMs);
    this.#cpuFreeAtMs = startMs + microseconds / 1_000 / this.#cpu;
    await this.sleep(this.#cpuFreeAtMs - this.nowMs());
  }

  async #attempt({ name, parts, response }: Call): Promise<unknown> {
    const spread = SPREAD.least + this.#simulation.dice.next() * (SPREAD.most - SPREAD.least);
    const halfMs = (latencyOf(name.split(' ', 1).join()) * spread) / 2;
    await this.sleep(halfMs);
    const results = parts.map((part) => part());
    const isRefused = results.every((result) => result === undefined);
    await this.sleep(isRefused ? REFUSAL_MS : halfMs);
    if (!isRefused) await this.compute(CPU_US.call + CPU_US.item * parts.length);
    return response(results);
  }
}

type Invocation<T> = (environment: Environment, remainingMs: () => number) => Promise<T>;

/** A function: runs each invocation in an environment that is free. The code itself ends before its time does. */
export function machines(simulation: Simulation, limits: FunctionLimits, servicesOf: (by: Caller) => Services) {
  const idle: Environment[] = [];
  return async <T>(invocation: Invocation<T>): Promise<T> => {
    const known = idle.pop();
    const environment = known ?? new Environment(simulation, limits.cpu, servicesOf);
    await environment.sleep(known === undefined ? COLD_START_MS : 1);
    const endsMs = simulation.nowMs + limits.timeoutMs;
    try {
      return await invocation(environment, () => endsMs - simulation.nowMs);
    } finally {
      idle.push(environment);
    }
  };
}
