/** Messages as they are sent and read: releases that run side by side read each other's. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../functions/jobs/read-message.ts';
import { bodyOf, type Message } from '../../functions/jobs/work.ts';

const CHUNK = { company_id: 'acme', import_id: 'i', chunk: 0, payload_hash: 'h' };
const SENT_CHUNK = { kind: 'chunk', ...CHUNK, hops: 0 };
const ERASURE = { company_id: 'acme', erasure_id: 'e' };
const ofImport = { kind: 'import', company_id: 'acme', import_id: 'i' } as const;
const ofRun = { kind: 'run', company_id: 'acme', run_id: 'a#b' } as const;

const SENT: readonly [string, Message][] = [
  [
    '{"kind":"chunk","company_id":"acme","import_id":"i","chunk":0,"payload_hash":"h","hops":2,"format":1}',
    { kind: 'chunk', ...CHUNK, hops: 2 },
  ],
  [
    '{"kind":"revert","subject":{"kind":"import","company_id":"acme","import_id":"i"},"hops":0,"format":1}',
    { kind: 'revert', subject: ofImport, hops: 0 },
  ],
  [
    '{"kind":"revert","subject":{"kind":"run","company_id":"acme","run_id":"a#b"},"hops":3,"format":1}',
    { kind: 'revert', subject: ofRun, hops: 3 },
  ],
  [
    '{"kind":"erasure","company_id":"acme","erasure_id":"e","hops":1,"format":1}',
    { kind: 'erasure', ...ERASURE, hops: 1 },
  ],
];

describe.each(SENT)('%s', (body, message) => {
  it('the body is sent for the message, and read as the message', () => {
    expect(bodyOf({ ...message, delaySeconds: 9 })).toBe(body);
    expect(messageOf(body)).toEqual(message);
  });
});

it('messageOf: members that a message does not have are ignored', () => {
  expect(messageOf(JSON.stringify({ ...SENT_CHUNK, more: 1 }))).toEqual(SENT_CHUNK);
});

it('messageOf: another format → an error, for the release that reads it; a message that names none has the first', () => {
  expect(() => messageOf(JSON.stringify({ ...SENT_CHUNK, format: 99 }))).toThrow('format 99');
  expect(messageOf(JSON.stringify(SENT_CHUNK))).toMatchObject(CHUNK);
});

it.each([
  '',
  '{}',
  'null',
  JSON.stringify(CHUNK),
  ...[-1, 0.5, '0'].map((chunk) => JSON.stringify({ ...SENT_CHUNK, chunk })),
])('messageOf: %j → undefined, because this service did not send it', (body) => {
  expect(messageOf(body)).toBeUndefined();
});
