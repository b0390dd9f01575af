import { jsonOf } from '../../importer/engine/ground/text.ts';

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Deployment = ReturnType<typeof deploymentAt>;
export type Reply = Awaited<ReturnType<Deployment['send']>>;

const TIMEOUT_MS = 40_000;

/** @throws Error if `baseUrl` is not a URL */
export function deploymentAt(baseUrl: string) {
  if (!/^https?:\/\/[^/]/.test(baseUrl))
    throw new Error(`${baseUrl} is not a URL such as https://abc.execute-api.eu-west-1.amazonaws.com.`);
  const root = baseUrl.replace(/\/+$/, '');

  /** `body`: parsed JSON; `undefined` if it is not JSON. @throws Error if no response arrives */
  async function send(method: string, path: string, { headers, body }: Sent = {}) {
    const response = await fetch(root + path, {
      method,
      headers: {
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: Error) => {
      throw error.cause ?? error;
    });
    return { status: response.status, headers: response.headers, body: jsonOf(await response.text()) };
  }
  return { baseUrl, send };
}
