/** A start that failed for a reason the user can fix. `message` is shown without a stack trace and says what to do. */
export class StartupFault extends Error {
  override readonly name = 'StartupFault';
}

/** The code of a system error (`EADDRINUSE`), or undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export class Stopped extends Error {
  override readonly name = 'Stopped';
}

type Step = () => unknown;

export class Shutdown {
  #steps: Step[] = [];
  #stopped: Promise<void> | undefined;

  /** Registers the cleanup of a step that is done. @throws Stopped if the stop has started: then it runs at once */
  async add(step: Step): Promise<void> {
    if (this.#stopped === undefined) {
      this.#steps.push(step);
      return;
    }
    await step();
    throw new Stopped();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#run();
    return this.#stopped;
  }

  async #run(): Promise<void> {
    // A step that fails must not keep the others from running.
    for (const step of this.#steps.toReversed())
      await Promise.resolve()
        .then(step)
        .catch(() => undefined);
  }
}
