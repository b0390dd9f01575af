type Step = () => unknown;

/** What was started, so that it is stopped in reverse order, once, however far the start had come. */
export class Shutdown {
  #steps: Step[] = [];
  #stopped: Promise<void> | undefined;

  /** Registers what undoes a step that is done. If the stop has begun meanwhile, it is undone at once and the start ends. */
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
    // One step that fails must not leave the others running.
    for (const step of this.#steps.toReversed())
      await Promise.resolve()
        .then(step)
        .catch(() => undefined);
  }
}

/** The start was interrupted by a stop. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
