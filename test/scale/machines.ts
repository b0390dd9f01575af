/** Lambda: environments that run one invocation at a time, with a part of a CPU; started when none is free. */
import { PATIENT_CLIENT } from '../../functions/runtime/faults.ts';
import type { Services } from '../kit/world.ts';
import { DatabaseError } from '../kit/memory-table/memory-table.ts';
import type { PartResult } from '../kit/memory-table/commands.ts';
import { type Call, Invocation } from '../simulation/invocation.ts';
import type { Caller } from '../simulation/services.ts';
import type { Simulation } from '../simulation/simulation.ts';
import { COLD_START_MS, CPU_US, latencyOf, REFUSAL_MS, SPREAD } from './assumptions.ts';
import type { FunctionLimits } from './deployment.ts';

const { acquireInitialRetryToken, refreshRetryTokenForRetry } = PATIENT_CLIENT.retryStrategy;

/** The code of an invocation ran into its time-out. */
export class TimedOut extends Error {}

/** One environment. Its services live as long as it does. */
class Environment implements Caller {
  readonly kind: string;
  readonly services: Services;
  readonly #simulation: Simulation;
  readonly #cpu: number;
  #running: Invocation | undefined;
  #cpuFreeAtMs = 0;

  constructor(simulation: Simulation, options: { kind: string; cpu: number; servicesOf: (by: Caller) => Services }) {
    this.kind = options.kind;
    this.#simulation = simulation;
    this.#cpu = options.cpu;
    this.services = options.servicesOf(this);
  }

  nowMs(): number {
    return this.#simulation.nowMs;
  }

  /** Of the running invocation; an ended one never wakes. */
  sleep(ms: number): Promise<void> {
    return this.#running?.sleep(ms) ?? new Promise(() => {});
  }

  run<T>(invocation: Invocation, code: () => Promise<T>): Promise<T> {
    this.#running = invocation;
    return new Promise((resolve, reject) => invocation.start(code, resolve, reject));
  }

  /** A call as the SDK makes it, with the retries that the code configures. */
  async io(call: Call): Promise<unknown> {
    let token = await acquireInitialRetryToken();
    for (;;) {
      const outcome = await this.#attempt(call);
      if ('value' in outcome) return outcome.value;
      try {
        token = await refreshRetryTokenForRetry(token, {
          errorType: isThrottle(outcome.error) ? 'THROTTLING' : 'CLIENT_ERROR',
        });
      } catch {
        throw outcome.error;
      }
      await this.sleep(token.getRetryDelay());
    }
  }

  /** Waits for the CPU, and uses it. */
  async compute(microseconds: number): Promise<void> {
    const startMs = Math.max(this.nowMs(), this.#cpuFreeAtMs);
    this.#cpuFreeAtMs = startMs + microseconds / 1_000 / this.#cpu;
    await this.sleep(this.#cpuFreeAtMs - this.nowMs());
  }

  async #attempt({ name, parts, response }: Call): Promise<{ value: unknown } | { error: unknown }> {
    const { dice } = this.#simulation;
    const [call = ''] = name.split(' ', 1);
    const latencyMs =
      latencyOf(call === 'Statements' ? 'BatchExecuteStatement' : call) *
      (SPREAD.least + dice.next() * (SPREAD.most - SPREAD.least));
    await this.sleep(latencyMs / 2);
    const results: (PartResult | undefined)[] = parts.map((part) => part());
    const isRefused = results.every((result) => result === undefined);
    await this.sleep(isRefused ? REFUSAL_MS : latencyMs / 2);
    if (!isRefused) await this.compute(CPU_US.call + CPU_US.item * parts.length);
    try {
      return { value: response(results) };
    } catch (error) {
      return { error };
    }
  }
}

const isThrottle = (error: unknown): boolean =>
  error instanceof DatabaseError && error.name === 'ProvisionedThroughputExceededException';

/** The environments of one function. */
export class Machines {
  starts = 0;
  invocations = 0;
  /** Time that is billed. */
  busyMs = 0;
  readonly #idle: Environment[] = [];
  readonly #simulation: Simulation;
  readonly #kind: string;
  readonly #limits: FunctionLimits;
  readonly #servicesOf: (by: Caller) => Services;

  constructor(simulation: Simulation, kind: string, limits: FunctionLimits, servicesOf: (by: Caller) => Services) {
    this.#simulation = simulation;
    this.#kind = kind;
    this.#limits = limits;
    this.#servicesOf = servicesOf;
  }

  get gbSeconds(): number {
    return ((this.busyMs / 1_000) * this.#limits.memoryMb) / 1_024;
  }

  /** Runs an invocation to its end. Rejects with the error that it throws, and at its time-out. */
  async invoke<T>(
    code: (services: Services, environment: Environment, remainingMs: () => number) => Promise<T>,
  ): Promise<T> {
    const known = this.#idle.pop();
    const environment = known ?? this.#start();
    this.invocations += 1;
    const { timeoutMs } = this.#limits;
    const bornMs = this.#simulation.nowMs;
    const { promise: over, reject: timedOut } = Promise.withResolvers<never>();
    const invocation = new Invocation(this.#simulation, {
      kind: this.#kind,
      timeoutMs,
      onDeath: () => timedOut(new TimedOut(`${this.#kind} ran out of time.`)),
    });
    const run = environment.run(invocation, async () => {
      if (known === undefined) await environment.sleep(COLD_START_MS);
      return code(environment.services, environment, () => invocation.remainingMs());
    });
    try {
      return await Promise.race([run, over]);
    } finally {
      this.busyMs += this.#simulation.nowMs - bornMs;
      this.#idle.push(environment);
    }
  }

  #start(): Environment {
    this.starts += 1;
    const servicesOf = this.#servicesOf;
    return new Environment(this.#simulation, { kind: this.#kind, cpu: this.#limits.cpu, servicesOf });
  }
}
