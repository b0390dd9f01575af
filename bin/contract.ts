/**
 * `npm run contract`: what a client notices since the last release, and an error if any of it breaks clients. With `--release`
 * it keeps the present document as the one of this version. docs/versioning.md says what counts as breaking.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../lib/openapi/document.ts';
import { type Change, changesBetween } from '../lib/openapi/changes.ts';
import { renderedDocument } from './render-openapi.ts';
import { packageVersion } from './version.ts';

const RELEASES = new URL('../docs/releases/', import.meta.url);
const FILE = /^openapi-(.*)\.json$/;

/** Version and document of the last release. */
export function lastRelease(): { readonly version: string; readonly document: object } {
  const versions = readdirSync(RELEASES).flatMap((file) => FILE.exec(file)?.[1] ?? []);
  const [version] = versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  if (version === undefined) throw new Error('docs/releases has no document: run npm run contract -- --release.');
  return { version, document: JSON.parse(readFileSync(fileOf(version), 'utf8')) as object };
}

/** What changed from a released document to that of this source. */
export function changesSince(released: object): Change[] {
  return changesBetween(released, JSON.parse(JSON.stringify(openApiDocument(packageVersion()))) as object);
}

const fileOf = (version: string): URL => new URL(`openapi-${version}.json`, RELEASES);

if (import.meta.main) {
  if (process.argv.includes('--release')) writeFileSync(fileOf(packageVersion()), renderedDocument());
  const { version, document } = lastRelease();
  const changes = changesSince(document);
  for (const { kind, at, what } of changes) console.log(`${kind.padEnd('deprecated'.length)}  ${at}: ${what}`);
  const broken = changes.filter(({ kind }) => kind === 'broken');
  console.log(`${changes.length} changes since ${version}, ${broken.length} of them break clients`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
