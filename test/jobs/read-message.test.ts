/** Messages as they are sent and read: releases that run side by side read each other's. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../functions/jobs/read-message.ts';
import { bodyOf, dispatch, type Message } from '../../functions/jobs/work.ts';

const CHUNK = { company_id: 'acme', import_id: 'i', chunk: 0, payload_hash: 'h' };
const ERASURE = { company_id: 'acme', erasure_id: 'e' };
const ofImport = { kind: 'import', company_id: 'acme', import_id: 'i' } as const;
const ofRun = { kind: 'run', company_id: 'acme', run_id: 'a#b' } as const;

const SENT: readonly [string, Message][] = [
  [
    '{"company_id":"acme","import_id":"i","chunk":0,"payload_hash":"h","format":1}',
    { kind: 'chunk', ...CHUNK, hops: 0 },
  ],
  [
    '{"company_id":"acme","import_id":"i","chunk":0,"payload_hash":"h","hop":2,"format":1}',
    { kind: 'chunk', ...CHUNK, hops: 2 },
  ],
  [
    '{"company_id":"acme","revert":{"import_id":"i"},"hop":0,"format":1}',
    { kind: 'revert', subject: ofImport, hops: 0 },
  ],
  ['{"company_id":"acme","revert":{"run_id":"a#b"},"hop":3,"format":1}', { kind: 'revert', subject: ofRun, hops: 3 }],
  ['{"company_id":"acme","erasure_id":"e","hop":1,"format":1}', { kind: 'erasure', ...ERASURE, hops: 1 }],
];

describe.each(SENT)('%s', (body, message) => {
  it('the body is sent for the message, and read as the message', () => {
    expect(bodyOf({ ...message, delaySeconds: 9 })).toBe(body);
    expect(messageOf(body)).toEqual(message);
  });

  it('the message reaches the handler of its kind alone', async () => {
    const handlers = { chunk: handler('chunk'), revert: handler('revert'), erasure: handler('erasure') };
    expect(await dispatch(message, handlers)).toEqual([message.kind, message]);
  });
});

const handler = (name: string) => async (message: Message) => [name, message];

it('messageOf: members that a message does not have are ignored', () => {
  expect(messageOf(JSON.stringify({ ...CHUNK, more: 1 }))).toEqual({ kind: 'chunk', ...CHUNK, hops: 0 });
});

it('messageOf: another format → an error, for the release that reads it; a message that names none has the first', () => {
  expect(() => messageOf(JSON.stringify({ ...CHUNK, format: 99 }))).toThrow('format 99');
  expect(messageOf(JSON.stringify(CHUNK))).toMatchObject(CHUNK);
});

it.each(['', '{}', 'null', ...[-1, 0.5, '0'].map((chunk) => JSON.stringify({ ...CHUNK, chunk }))])(
  'messageOf: %j → undefined, because this service did not send it',
  (body) => {
    expect(messageOf(body)).toBeUndefined();
  },
);
