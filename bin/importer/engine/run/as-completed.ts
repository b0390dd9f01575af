/**
 * Runs a step for each item, at most `most` at a time, and yields the results as they complete. The next item is read only
 * when a result is asked for and a step can start. After an error no further step starts, and the first error is thrown once
 * the steps in progress have ended.
 */
export async function* asCompleted<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  most: number,
  step: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Set<Promise<void>>();
  const results: Result[] = [];
  const errors: unknown[] = [];
  const start = (item: Item): void => {
    const run = step(item)
      .then(
        (result) => void results.push(result),
        (error: unknown) => void errors.push(error),
      )
      .finally(() => running.delete(run));
    running.add(run);
  };
  try {
    for await (const item of items) {
      start(item);
      if (running.size >= most) await Promise.race(running);
      if (errors.length > 0) break;
      yield* results.splice(0);
    }
    while (running.size > 0 && errors.length === 0) {
      await Promise.race(running);
      yield* results.splice(0);
    }
  } finally {
    await Promise.all(running);
  }
  if (errors.length > 0) throw errors[0];
  yield* results;
}
