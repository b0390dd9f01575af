/** The languages of exports: each JSON file of this folder is one. Bundles hold them as data (`bin/build`). */

/** What the reader needs of `node:fs`. The engine has none of Node's types, because browsers run it. */
interface Files {
  readonly readdirSync: (folder: URL) => string[];
  readonly readFileSync: (file: URL, encoding: 'utf8') => string;
}
declare const process: { readonly getBuiltinModule: (name: 'node:fs') => Files };

/** The languages whose files are in a folder, by the names of these. @param folder with a slash at its end */
export function languagesIn(folder: URL): Readonly<Record<string, unknown>> {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs');
  const found: Record<string, unknown> = {};
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith('.json'))
      found[name.replace('.json', '')] = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  return found;
}

export const LISTED = languagesIn(new URL('.', import.meta.url));
