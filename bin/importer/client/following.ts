/** Reads that follow one another: the pages of a list, and the polls of a resource until it has ended. */
import { pause } from './retry.ts';
import type { HttpResponse } from './transport.ts';
import type * as wire from '../wire/types.ts';

const DEFAULT_POLL_SECONDS = 1;

/** Every item of a paged list, whose pages have the items in the member `name`. */
export async function* pages<Name extends string, Item>(
  name: Name,
  read: (query: wire.PageQuery) => Promise<Readonly<Record<Name, readonly Item[]>> & { next_cursor: string | null }>,
): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor === undefined ? {} : { cursor });
    yield* page[name];
    cursor = page.next_cursor;
  }
}

/** Polls, no more often than the service allows, until the resource has a terminal status. */
export async function whenEnded<Body extends { readonly status: string }>(
  read: () => Promise<HttpResponse<Body>>,
  { afterSeconds = 0, onProgress }: wire.WaitOptions<Body>,
): Promise<Body> {
  await pause(afterSeconds * 1000);
  for (;;) {
    const { body, retryAfterSeconds = DEFAULT_POLL_SECONDS } = await read();
    onProgress?.(body);
    if (body.status !== 'processing') return body;
    await pause(retryAfterSeconds * 1000);
  }
}

/** The courses of a transcript, each once: one that is on two pages has the contributions of both. */
export async function* wholeCourses(parts: AsyncIterable<wire.LearnerCourse>): AsyncGenerator<wire.LearnerCourse> {
  let course: wire.LearnerCourse | undefined;
  for await (const next of parts) {
    if (course?.platform_course_id === next.platform_course_id) {
      course = { ...next, contributions: [...course.contributions, ...next.contributions] };
      continue;
    }
    if (course !== undefined) yield course;
    course = next;
  }
  if (course !== undefined) yield course;
}
