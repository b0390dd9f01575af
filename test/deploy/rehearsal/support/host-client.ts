import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Send } from '../../support/stack-client.ts';

/**
 * Sends to a deployed API. On AWS its host name leads there; MiniStack serves every API at one address and tells them apart
 * by the Host header, which `fetch` does not let its caller set.
 */
export function hostSender(baseUrl: string, port: number): Send {
  // Not by URL, which refuses a name that ends like an IP address.
  const host = baseUrl.replace(/^https?:\/\//, '');
  return async (method, path, { token, body, headers = {} } = {}) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: {
        host,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    const answered = await text(answer);
    return { status: answer.statusCode ?? 0, body: answered === '' ? undefined : JSON.parse(answered) };
  };
}
