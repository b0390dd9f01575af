/**
 * Makes broken variants of the service: a module imported as `…/operation.ts?mutant=NAME` is read, with everything of
 * `functions/` that it imports, from a copy in which one check is taken out. The sources on disk stay as they are.
 */
import type { Plugin } from 'vitest/config';
import { MUTANTS } from './mutants.ts';

const QUERY = /\?mutant=([\w-]+)$/;

export function mutants(): Plugin {
  return {
    name: 'mutants',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const name = QUERY.exec(source)?.[1] ?? QUERY.exec(importer ?? '')?.[1];
      if (name === undefined || !source.startsWith('.')) return null;
      const found = await this.resolve(source.replace(QUERY, ''), importer?.replace(QUERY, ''), {
        ...options,
        skipSelf: true,
      });
      return found && `${found.id}?mutant=${name}`;
    },
    transform(code, id) {
      const name = QUERY.exec(id)?.[1];
      if (name === undefined) return null;
      const edits = (MUTANTS[name] ?? []).filter(({ file }) => id.includes(`/functions/${file}?`));
      return edits.reduce((text, { take, put }) => {
        if (!text.includes(take)) throw new Error(`the mutant ${name} no longer fits ${id}`);
        return text.replace(take, () => put);
      }, code);
    },
  };
}
