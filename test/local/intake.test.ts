/** The way of a message to the intake of `npm start`; `test/over-http/intake.test.ts` takes it whole. Costs milliseconds. */
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { intakeOf, isForIntake, toIntake } from '../../bin/local/intake.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

it.each<[string, string, object, boolean]>([
  ['POST', '/local/intake', JSON_TYPE, true],
  ['PUT', '/local/intake', JSON_TYPE, false],
  ['POST', '/local/intake/', JSON_TYPE, false],
  ['POST', '/local/intake', {}, false],
  ['POST', '/local/intake', { 'content-type': 'text/plain' }, false],
  ['POST', '/local/intake', { ...JSON_TYPE, origin: 'null' }, false],
])('%s %s with %j is for the intake: %s', (method, path, headers, is) => {
  expect(isForIntake({ method, headers } as IncomingMessage, path)).toBe(is);
});

it('a body that is no JSON is a message without facts', async () => {
  const told: unknown[] = [];
  const intake = async (message: unknown) => told.push(message);
  for (const body of ['{"facts":[]}', '{', '']) await toIntake(Buffer.from(body), intake);
  expect(told).toEqual([{ facts: [] }, null, null]);
});

it('a stack without an intake has no way to it', () => {
  expect(intakeOf(new Map())).toBeUndefined();
});
