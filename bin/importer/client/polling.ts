/** Lists that are read page by page, and resources that are polled to their end. */
import type * as wire from '../wire/types.ts';
import { type HttpResponse, pause } from './transport.ts';

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
