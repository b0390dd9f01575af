/** Wrong counts of runs. Each leaves out one guard of the design (`RunCounts.tla`); the simulator must catch it. */
import { placeOf } from '../../functions/dynamodb/table.ts';
import { latestOf } from '../../functions/records/instants.ts';
import { sumOf } from '../../functions/imports/run-counts.ts';
import type { EveryStore } from '../kit/services.ts';
import type { BrokenContext } from './services.ts';
import type { Variant } from './stack.ts';
import { withStores } from './variants.ts';

type Imports = EveryStore['imports'];

const withImports = (change: (imports: Imports, context: BrokenContext) => Partial<Imports>) =>
  withStores(({ imports }, context) => ({ imports: { ...imports, ...change(imports, context) } }));

const OLD_MS = 5 * 60_000;

export const RUN_VARIANTS: Readonly<Record<string, Variant>> = {
  'an import is noted on its run after it is stored': withImports((imports) => {
    let note = async () => {};
    return {
      async putRun(run, made) {
        if (made.dry_run) await imports.putRun(run, made);
        else note = () => imports.putRun(run, made);
      },
      async commit(item) {
        const stored = await imports.commit(item);
        await note();
        return stored;
      },
    };
  }),

  'the driver of a plan notes nothing': withImports((imports, { by }) => ({
    putRun: async (run, made) => (by.kind === 'process' ? undefined : imports.putRun(run, made)),
  })),

  'only the first import of a run is noted': withStores(({ imports, runs }) => ({
    imports: {
      ...imports,
      async putRun(run, made) {
        if ((await runs.read(run))?.begun_at === undefined) await imports.putRun(run, made);
      },
    },
  })),

  'what began just now is old': withImports((imports) => ({
    readParts: (run, nowMs, known) => imports.readParts(run, nowMs + OLD_MS, known),
  })),

  'a run is at rest while imports are open': withImports((imports) => ({
    async readParts(run, nowMs, known) {
      const read = await imports.readParts(run, nowMs, known);
      if (read.open.length === 0) return read;
      const up_to = latestOf(read.open.map(placeOf));
      return { ...read, keep: { up_to, open: [], ended: sumOf(read.parts), rests: `${run.begun_at} ${up_to}` } };
    },
  })),
};
