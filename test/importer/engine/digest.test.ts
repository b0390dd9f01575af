import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { CODE_POINT } from '../../kit/code-point.ts';
import { Digest, sha256Hex } from '../../../bin/importer/engine/digest.ts';

it('a digest equals that of Node, however the text is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: CODE_POINT })), (pieces) => {
      const node = createHash('sha256');
      const ours = new Digest();
      for (const piece of pieces) {
        node.update(piece);
        ours.update(piece);
      }
      expect(ours.base64url()).toBe(node.digest('base64url'));
    }),
  );
});

it('sha256Hex: text → 64 hexadecimal digits', () => {
  expect(sha256Hex('abc')).toBe(createHash('sha256').update('abc').digest('hex'));
});
