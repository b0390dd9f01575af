/** Wrong implementations of erasures. Each leaves out one part of the protocol; the simulator must catch it. */
import type { ErasureStore } from '../../functions/erasure/store.ts';
import type { EveryStore } from '../kit/services.ts';
import type { Variant } from './stack.ts';
import { withStores } from './variants.ts';

type Advance = ErasureStore['advance'];
type Change = Parameters<Advance>[1];

const withStep = (change: (change: Change) => Change) =>
  withStores(({ erasures }) => ({
    erasures: { ...erasures, advance: (erasure, next) => erasures.advance(erasure, change(next)) },
  }));

const LONG_AGO = '2026-01-01T00:00:00.000Z';
const withoutFence = (phase: 'closing' | 'leaving') =>
  withStep((change) => (change.phase === phase ? { ...change, until: LONG_AGO } : change));

const withErasures = (change: Partial<ErasureStore>) =>
  withStores(({ erasures }) => ({ erasures: { ...erasures, ...change } }));

const withImports = (change: (imports: EveryStore['imports']) => Partial<EveryStore['imports']>) =>
  withStores(({ imports }) => ({ imports: { ...imports, ...change(imports) } }));

export const ERASURE_VARIANTS: Readonly<Record<string, Variant>> = {
  'no function that began before the gate was closed is waited for': withoutFence('closing'),

  'no function that copied a payload meanwhile is waited for': withoutFence('leaving'),

  'chunks pass the closed gate': withImports((imports) => ({
    readChunk: async (message) => {
      const known = await imports.readChunk(message);
      return { ...known, gate: { epoch: known.gate.epoch } };
    },
  })),

  'chunks go on before the plans of open imports are erased': withStep((change) =>
    change.phase === 'halting' ? { ...change, phase: 'removing' } : change,
  ),

  'imports that were open are visited once': withStep(({ met_open: _, ...change }) => change),

  'ids are not freed': withStores(({ reverts }) => ({ reverts: { ...reverts, free: async () => {} } })),

  'the names in records are not collected': withStep(({ names, ...change }) =>
    change.phase === undefined || names === undefined ? change : { ...change, names: { emails: [], external_ids: [] } },
  ),

  'the progress stays': withErasures({ removeLearner: async () => 0 }),

  'the sessions stay': withStores(({ sessions }) => ({ sessions: { ...sessions, removeOf: async () => 0 } })),

  'the archive stays': withStores(({ archive }) => ({ archive: { ...archive, replaceArchived: async () => {} } })),

  'the mappings stay': withStores(({ mappings }) => ({
    mappings: { ...mappings, removeUserMappings: async () => {} },
  })),
};
