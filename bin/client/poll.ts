import { pause } from './pause.ts';
import type { HttpResponse } from './transport.ts';
import type { WaitOptions } from './types.ts';

const DEFAULT_POLL_SECONDS = 1;

/** Polls, no more often than the service allows, until the resource has a terminal status. */
export async function whenEnded<Body extends { readonly status: string }>(
  read: () => Promise<HttpResponse<Body>>,
  { afterSeconds = 0, onProgress }: WaitOptions<Body>,
): Promise<Body> {
  await pause(afterSeconds * 1000);
  for (;;) {
    const { body, retryAfterSeconds = DEFAULT_POLL_SECONDS } = await read();
    onProgress?.(body);
    if (body.status !== 'processing') return body;
    await pause(retryAfterSeconds * 1000);
  }
}
