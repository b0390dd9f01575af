import { randomUUID } from 'node:crypto';
import { FunctionEnvironment, FunctionFault, type FunctionSpec } from './function-environment.ts';

interface Job {
  readonly event: string;
  readonly requestId: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: Error) => void;
}

/** A function on this machine: up to `concurrency` execution environments, started when needed; what exceeds them waits in turn. */
export class LocalFunction {
  readonly spec: FunctionSpec;
  readonly #concurrency: number;
  readonly #onLogLine: (line: string) => void;
  readonly #all = new Set<FunctionEnvironment>();
  readonly #idle: FunctionEnvironment[] = [];
  readonly #waiting: Job[] = [];
  #stopped = false;

  constructor(spec: FunctionSpec, concurrency: number, onLogLine: (line: string) => void) {
    this.spec = spec;
    this.#concurrency = concurrency;
    this.#onLogLine = onLogLine;
  }

  /**
   * @returns what the handler answered, as it reads from JSON
   * @throws FunctionFault if it threw, crashed or ran out of time
   */
  attempt(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event: JSON.stringify(event), requestId, resolve, reject });
      this.#next();
    });
  }

  /** The same, for those who do not tell of a fault themselves: it is logged, as Lambda does. */
  async invoke(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    try {
      return await this.attempt(event, requestId);
    } catch (error) {
      const { message } = error as FunctionFault;
      if (!this.#stopped)
        this.#onLogLine(JSON.stringify({ level: 'ERROR', function: this.spec.name, requestId, message }));
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const job of this.#waiting.splice(0)) job.reject(new FunctionFault('the local stack stops', false));
    await Promise.all([...this.#all].map((environment) => environment.stop()));
  }

  #next(): void {
    if (this.#stopped || this.#waiting.length === 0) return;
    const environment = this.#idle.pop() ?? this.#start();
    if (environment === undefined) return;
    void this.#run(environment, this.#waiting.shift() as Job);
  }

  #start(): FunctionEnvironment | undefined {
    if (this.#all.size >= this.#concurrency) return undefined;
    const environment = new FunctionEnvironment(this.spec, this.#onLogLine);
    this.#all.add(environment);
    return environment;
  }

  async #run(environment: FunctionEnvironment, { event, requestId, resolve, reject }: Job): Promise<void> {
    try {
      const result = await environment.invoke(event, requestId);
      this.#idle.push(environment);
      resolve(JSON.parse(result));
    } catch (error) {
      const fault = error as FunctionFault;
      if (fault.survives) this.#idle.push(environment);
      else this.#all.delete(environment);
      reject(fault);
    }
    this.#next();
  }
}
