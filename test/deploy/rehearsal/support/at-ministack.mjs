/**
 * Loaded by NODE_OPTIONS into the commands of a rehearsal: `fetch` finds the APIs of API Gateway at MiniStack, which serves all at
 * one address and selects them by the Host header, which a caller of `fetch` cannot set.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

const { fetch } = globalThis;
const host = new URL(process.env.AWS_ENDPOINT_URL ?? '').host;

globalThis.fetch = async (...asked) => {
  const call = new Request(...asked);
  const { method, signal } = call;
  const [, api, path] = /^https:\/\/(\w+\.execute-api)\.[^/]+(\/.*)$/.exec(call.url) ?? [];
  if (api === undefined) return fetch(...asked);
  const headers = { ...Object.fromEntries(call.headers), host: `${api}.${host}` };
  const sent = request(`http://${host}${path}`, { method, signal, headers });
  sent.end(await call.text());
  const [response] = await once(sent, 'response');
  const payload = await text(response);
  return new Response(payload === '' ? null : payload, { status: response.statusCode, headers: response.headers });
};
