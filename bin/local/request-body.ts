import type { IncomingMessage } from 'node:http';

/** What an HTTP API takes. */
export const LARGEST_BODY = 10 * 1024 * 1024;

export type RequestBody = Buffer | 'too large' | 'aborted';

/** Reads the body, no further than the limit. */
export function readBody(request: IncomingMessage): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > LARGEST_BODY) {
        parts.length = 0;
        resolve('too large');
      } else {
        parts.push(part);
      }
    });
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}
