/** The local stack as a target: requests as raw HTTP without normalisation, with a table and a key of its own. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { KMSClient } from '@aws-sdk/client-kms';
import { decodeJwt } from 'jose';
import { inject } from 'vitest';
import { SIGNING_KEY_ID } from '../../../bin/local/kms.ts';
import { signerOf } from '../../../functions/auth/kms-signer.ts';
import { publishingSigner } from '../../../functions/auth/signing-keys.ts';
import { documentClient } from '../../../functions/dynamodb/client.ts';
import { everyStore } from '../../kit/services.ts';
import { ADMIN, PASSWORD } from './data.ts';
import type { Answered, Sent, Target } from './target.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export async function stackTarget(): Promise<Target> {
  const { operator, table } = inject('stackEngines');
  const client = documentClient(operator);
  return {
    client,
    table,
    stores: everyStore({ client, table }),
    signer: publishingSigner(signerOf(new KMSClient(operator), SIGNING_KEY_ID)),
    parties: await partiesOfStack(),
    nowMs: () => Date.now(),
    send,
  };
}

/** Issuer and audience of the stack's own tokens. */
async function partiesOfStack() {
  const { text } = await rawRequest({
    method: 'POST',
    path: '/api/v1/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN, password: PASSWORD }),
  });
  const { iss = '', aud = '' } = decodeJwt((JSON.parse(text) as { access_token: string }).access_token);
  return { issuer: iss, audience: String(aud) };
}

function send({ route, path = {}, query = {}, headers = {}, body }: Sent): Promise<Answered> {
  const filled = route.path.replace(/\{(\w+)\}/g, (_, name: string) => percentEncoded(path[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return rawRequest({ method: route.method, path: search === '' ? filled : `${filled}?${search}`, headers, body });
}

/** Encodes dots too, because every reader resolves a path of dots alone to another path. */
const percentEncoded = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E');

export interface RawRequest {
  readonly method: string;
  /** The path as sent, not normalised. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array | undefined;
  /** Uses a connection of its own, because a cut one is not used again. */
  readonly isAlone?: true;
}

export async function rawRequest({ method, path, headers = {}, body, isAlone }: RawRequest): Promise<Answered> {
  const { hostname, port } = new URL(inject('stackUrl'));
  const framed = { ...lengthOf(body, headers), ...headers };
  const sent = request({ agent: isAlone === true ? false : agent, hostname, port, method, path, headers: framed });
  // After the response, a body that was cut off is no error.
  sent.on('error', () => undefined);
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [response] = await answered;
  const named = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(named),
    text: (await buffer(response)).toString(),
  };
}

/** Node sends the body of a GET without its length, and the server would read that body as the next request. */
const lengthOf = (body: RawRequest['body'], headers: object) =>
  body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
