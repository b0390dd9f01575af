/** The packages whose code a bundle contains: their licences as notices, and a list in CycloneDX. Made from what esbuild read. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as v from 'valibot';

type Package = ReturnType<typeof packageIn>;

export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';
export const BOM_FILE = 'sbom.cdx.json';

const FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;
const MANIFEST = v.object({ name: v.string(), version: v.string(), license: v.optional(v.string(), 'UNKNOWN') });

export type InputsOfOutput = Metafile['outputs'][string]['inputs'];

export const inputsOf = ({ outputs }: Metafile): InputsOfOutput =>
  Object.fromEntries(Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)));

/** Both files of a bundle, by name. `project` is the folder that the paths of the inputs start from. */
export function noticesOf(inputs: InputsOfOutput, project: string): ReadonlyMap<string, string> {
  const read = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(read.flatMap(([path]) => FOLDER.exec(path)?.[1] ?? []));
  const packages = [...folders].toSorted().map((folder) => packageIn(join(project, folder)));
  return new Map([
    [NOTICES_FILE, noticesText(packages)],
    [BOM_FILE, `${JSON.stringify(billOf(packages), null, 2)}\n`],
  ]);
}

/** With the text of its licence file; the SPDX name if it ships no file. */
function packageIn(folder: string) {
  const manifest = v.parse(MANIFEST, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => LICENSE_FILE.test(name)) : [];
  const texts = files.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return { ...manifest, text: texts.join('\n\n') || manifest.license };
}

/** Each licence once, below the packages that have it. */
function noticesText(packages: readonly Package[]): string {
  const sections = [...Map.groupBy(packages, ({ text }) => text)].map(([text, those]) => {
    const names = those.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${names.join('\n')}\n\n${text}\n`;
  });
  return ['This software contains code of the packages below.\n', ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}

const billOf = (packages: readonly Package[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  components: packages.map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    licenses: [{ license: { id: license } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  })),
});
