/** The Node that npm installs as a package, compared with the one that nodejs.org publishes. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const bytesFrom = async (url: string): Promise<Buffer> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

/**
 * Compares the program of the package with that of the archive of its version, and the archive with its list.
 * `isGood` is absent if no Node is installed, or nodejs.org does not answer.
 */
export async function packagedNode(
  modules: string,
  bytesOf: typeof bytesFrom,
): Promise<{ readonly isGood?: boolean; readonly found: string }> {
  const name = readdirSync(modules).find((each) => existsSync(join(modules, each, 'bin/node')));
  if (name === undefined) return { found: 'none is installed' };
  const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string };
  const platform = name.replace(/^node-(?:bin-)?/, '');
  const archive = `node-v${version}-${platform}.tar.gz`;
  const folder = `https://nodejs.org/dist/v${version}`;
  const fetched = await Promise.all([bytesOf(`${folder}/SHASUMS256.txt`), bytesOf(`${folder}/${archive}`)]).catch(
    (error: unknown) => String(error),
  );
  if (typeof fetched === 'string') return { found: `NOT CHECKED: ${fetched}` };
  const [list, packed] = fetched;
  if (
    !String(list)
      .split('\n')
      .includes(`${sha256(packed)}  ${archive}`)
  )
    return { isGood: false, found: `${archive} is not the one of the list of nodejs.org` };
  const program = ['-xzO', '-f', '-', `node-v${version}-${platform}/bin/node`];
  const published = execFileSync('tar', program, { input: packed, maxBuffer: 1024 * 1024 * 1024 });
  const isGood = sha256(published) === sha256(readFileSync(join(modules, name, 'bin/node')));
  return { isGood, found: `${name} ${version} ${isGood ? 'is' : 'IS NOT'} the program of nodejs.org` };
}
