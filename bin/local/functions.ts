import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { FunctionEnvironment, FunctionFault, type FunctionSpec } from './function-environment.ts';
import { ACCOUNT, type PhysicalResources, REGION, resourcesOfType } from './template.ts';

/** Execution environments of one function: as many as this machine has processors, from two to four. */
export const MOST_CONCURRENT = Math.min(4, Math.max(2, availableParallelism()));

/** An execution environment that had no invocation for so long ends, and gives its memory back. */
const IDLE_MS = 60_000;

export type Functions = ReadonlyMap<string, LocalFunction>;

/** Added to the resources first, as they may refer to each other. `environmentOf`: what Lambda itself sets. */
export function localFunctions(
  bundles: string,
  resources: PhysicalResources,
  environmentOf: (id: string) => Readonly<Record<string, string>>,
  onLogLine: (line: string) => void,
): Functions {
  for (const [id] of resourcesOfType(resources.template, 'AWS::Lambda::Function'))
    resources.set(id, { ref: id, attributes: { Arn: functionArn(id) } });
  return new Map(
    resources.declared('AWS::Lambda::Function').map(([id, properties, { Metadata }]) => {
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

/** Up to `concurrency` execution environments, which end after `idleMs` unused. Further invocations wait. */
export class LocalFunction {
  readonly spec: FunctionSpec;
  readonly #concurrency: number;
  readonly #onLogLine: (line: string) => void;
  readonly #idleMs: number;
  readonly #all = new Set<FunctionEnvironment>();
  /** Each with the timer that ends it. The one used last is the next to be used, so that the others can end. */
  readonly #idle = new Map<FunctionEnvironment, NodeJS.Timeout>();
  readonly #waiting: PromiseWithResolvers<FunctionEnvironment>[] = [];
  #stopped = false;
  #informed: Readonly<Record<string, string>> = {};

  constructor(spec: FunctionSpec, concurrency: number, onLogLine: (line: string) => void, idleMs = IDLE_MS) {
    this.spec = spec;
    this.#concurrency = concurrency;
    this.#onLogLine = onLogLine;
    this.#idleMs = idleMs;
  }

  /** Sets variables that the stack cannot know, for execution environments that start from now on. */
  inform(variables: Readonly<Record<string, string>>): void {
    this.#informed = variables;
  }

  /** The handler's result after a round trip through JSON. @throws FunctionFault if it threw, crashed or timed out */
  async attempt(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    const text = JSON.stringify(event);
    const environment = await this.#acquired();
    let survives = true;
    try {
      return JSON.parse(await environment.invoke(text, requestId));
    } catch (error) {
      ({ survives } = error as FunctionFault);
      throw error;
    } finally {
      if (!survives) this.#all.delete(environment);
      this.#release(survives ? environment : undefined);
    }
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
    for (const each of this.#waiting.splice(0)) each.reject(new FunctionFault('the local stack is stopping', false));
    await Promise.all([...this.#all].map((environment) => environment.stop()));
  }

  /** An environment that is idle or new; if there are as many as may be, the next one that is released. */
  #acquired(): FunctionEnvironment | Promise<FunctionEnvironment> {
    const [idle, timer] = [...this.#idle].at(-1) ?? [];
    if (idle !== undefined) {
      clearTimeout(timer);
      this.#idle.delete(idle);
      return idle;
    }
    if (!this.#stopped && this.#all.size < this.#concurrency) return this.#started();
    const waiting = Promise.withResolvers<FunctionEnvironment>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  #started(): FunctionEnvironment {
    const variables = { ...this.spec.environment, ...this.#informed };
    const environment = new FunctionEnvironment({ ...this.spec, environment: variables }, this.#onLogLine);
    this.#all.add(environment);
    return environment;
  }

  /** @param environment undefined if it has ended: then another replaces it for the invocation that waits longest */
  #release(environment: FunctionEnvironment | undefined): void {
    const next = this.#waiting.shift();
    if (next !== undefined) return next.resolve(environment ?? this.#started());
    if (environment === undefined) return;
    const end = (): void => {
      this.#idle.delete(environment);
      this.#all.delete(environment);
      void environment.stop();
    };
    this.#idle.set(environment, setTimeout(end, this.#idleMs).unref());
  }
}

const LEVEL_ERROR = /"level":\s*"(ERROR|CRITICAL)"/;

export function logLineSink(verbose: boolean, write: (line: string) => void): (line: string) => void {
  return (line) => {
    if (verbose || LEVEL_ERROR.test(line)) write(line);
  };
}
