import { expect, it } from 'vitest';
import { contentHash, recordHash } from '../../functions/runtime/content-hash.ts';

it('the hash of a record is 64 bits, as each plan and contribution stores one; that of a payload is 128', () => {
  expect(recordHash('a')).toMatch(/^[0-9a-f]{16}$/);
  expect(contentHash('a')).toMatch(/^[0-9a-f]{32}$/);
  for (const hash of [recordHash, contentHash]) expect(hash('a')).not.toBe(hash('b'));
});
