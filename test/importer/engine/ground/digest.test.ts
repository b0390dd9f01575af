import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CODE_POINT } from '../../../kit/code-point.ts';
import * as ofNode from '../../../../bin/importer/engine/ground/digest.ts';

/** The module as a browser has it, where nothing is built in. */
async function loadedInBrowser(): Promise<typeof ofNode> {
  const builtIn = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  // The module decides when it is loaded, so it is loaded anew.
  const anew = new URL('../../../../bin/importer/engine/ground/digest.ts?browser', import.meta.url);
  const loaded = (await import(anew.href)) as typeof ofNode;
  expect(builtIn).toHaveBeenCalledWith('node:crypto');
  builtIn.mockRestore();
  return loaded;
}

const ofBrowser = await loadedInBrowser();

describe.each([
  ['Node', ofNode],
  ['a browser', ofBrowser],
])('in %s', (_, { Digest, sha256Hex, sha256Of }) => {
  it('a digest equals that of node:crypto, however the text is cut into pieces', () => {
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

  it('sha256Hex and sha256Of: text or bytes → 64 hexadecimal digits', async () => {
    const wanted = createHash('sha256').update('abc').digest('hex');
    expect(sha256Hex('abc')).toBe(wanted);
    expect(await sha256Of(new TextEncoder().encode('abc'))).toBe(wanted);
  });
});
