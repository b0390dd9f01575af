import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import type { BuiltStack } from './built-stack.ts';
import { FunctionEnvironment, FunctionFault, type FunctionSpec } from './function-environment.ts';
import { ACCOUNT, type PhysicalResources, REGION, resourcesOfType, declared } from './template.ts';

/** Execution environments of one function: as many as this machine has processors, from two to four. */
export const MOST_CONCURRENT = Math.min(4, Math.max(2, availableParallelism()));

/** An execution environment that had no invocation for so long ends, and gives its memory back. */
const IDLE_MS = 60_000;

export type Functions = ReadonlyMap<string, LocalFunction>;

/** Added to the resources first, as they may refer to each other. `environmentOf`: what Lambda itself sets. */
export function localFunctions(
  { template, bundles }: BuiltStack,
  resources: PhysicalResources,
  environmentOf: (id: string) => Readonly<Record<string, string>>,
  onLogLine: (line: string) => void,
): Functions {
  for (const [id] of resourcesOfType(template, 'AWS::Lambda::Function'))
    resources.set(id, { ref: id, attributes: { Arn: functionArn(id) } });
  return new Map(
    declared(template, 'AWS::Lambda::Function', resources).map(([id, properties, { Metadata }]) => {
      const memoryMb = Number(properties['MemorySize']);
      const { Variables } = properties['Environment'] as { readonly Variables: Readonly<Record<string, string>> };
      const spec = {
        name: id,
        bundle: join(bundles, basename(String(Metadata?.['aws:asset:path']))),
        memoryMb,
        timeoutMs: Number(properties['Timeout']) * 1000,
        environment: {
          ...environmentOf(id),
          AWS_LAMBDA_FUNCTION_NAME: id,
          AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
          AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
          AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
          TZ: ':UTC',
          ...Variables,
        },
      };
      return [functionArn(id), new LocalFunction(spec, MOST_CONCURRENT, onLogLine)];
    }),
  );
}

export const functionArn = (id: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${id}`;

interface Job {
  readonly event: string;
  readonly requestId: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: Error) => void;
}

interface Idle {
  readonly environment: FunctionEnvironment;
  readonly timer: NodeJS.Timeout;
}

/** Up to `concurrency` execution environments, which end after `idleMs` unused. Further invocations wait. */
export class LocalFunction {
  readonly spec: FunctionSpec;
  readonly #concurrency: number;
  readonly #onLogLine: (line: string) => void;
  readonly #idleMs: number;
  readonly #all = new Set<FunctionEnvironment>();
  /** The one used last is the next to be used, so that the others can end. */
  readonly #idle: Idle[] = [];
  readonly #waiting: Job[] = [];
  #stopped = false;

  constructor(spec: FunctionSpec, concurrency: number, onLogLine: (line: string) => void, idleMs = IDLE_MS) {
    this.spec = spec;
    this.#concurrency = concurrency;
    this.#onLogLine = onLogLine;
    this.#idleMs = idleMs;
  }

  /** The handler's result after a round trip through JSON. @throws FunctionFault if it threw, crashed or timed out */
  attempt(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event: JSON.stringify(event), requestId, resolve, reject });
      this.#next();
    });
  }

  /** The same, and logs a fault, as Lambda does. */
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
    for (const job of this.#waiting.splice(0)) job.reject(new FunctionFault('the local stack is stopping', false));
    await Promise.all([...this.#all].map((environment) => environment.stop()));
  }

  #next(): void {
    if (this.#stopped || this.#waiting.length === 0) return;
    const environment = this.#reused() ?? this.#start();
    if (environment === undefined) return;
    void this.#run(environment, this.#waiting.shift() as Job);
  }

  #reused(): FunctionEnvironment | undefined {
    const idle = this.#idle.pop();
    clearTimeout(idle?.timer);
    return idle?.environment;
  }

  #rest(environment: FunctionEnvironment): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((idle) => idle.timer === timer),
        1,
      );
      this.#all.delete(environment);
      void environment.stop();
    }, this.#idleMs).unref();
    this.#idle.push({ environment, timer });
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
      this.#rest(environment);
      resolve(JSON.parse(result));
    } catch (error) {
      const fault = error as FunctionFault;
      if (fault.survives) this.#rest(environment);
      else this.#all.delete(environment);
      reject(fault);
    }
    this.#next();
  }
}

const LEVEL_ERROR = /"level":\s*"(ERROR|CRITICAL)"/;

export function logLineSink(verbose: boolean, write: (line: string) => void): (line: string) => void {
  return (line) => {
    if (verbose || LEVEL_ERROR.test(line)) write(line);
  };
}
