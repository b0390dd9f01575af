/** Wrong implementations of reverts. Each leaves out one part of the protocol; the simulator must catch it. */
import type { RevertStore } from '../../functions/reverts/store.ts';
import type { EveryStore } from '../kit/services.ts';
import type { Variant } from './stack.ts';
import { withStores } from './variants.ts';

const withReverts = (change: (reverts: RevertStore) => Partial<RevertStore>) =>
  withStores(({ reverts }) => ({ reverts: { ...reverts, ...change(reverts) } }));

type ReadChunk = EveryStore['imports']['readChunk'];
type Known = Awaited<ReturnType<ReadChunk>>;

const withChunk = (change: (known: Known) => Known) =>
  withStores(({ imports }) => ({
    imports: { ...imports, readChunk: async (message) => change(await imports.readChunk(message)) },
  }));

const isTurn = (change: object): boolean => Object.keys(change).join() === 'until';

export const REVERT_VARIANTS: Readonly<Record<string, Variant>> = {
  'the archive stays': withStores(({ archive }) => ({ archive: { ...archive, removeArchived: async () => {} } })),

  'a chunk archives after its summary': withStores(({ archive, imports }) => {
    let put = async () => {};
    return {
      archive: { ...archive, putArchived: async (...kept) => void (put = () => archive.putArchived(...kept)) },
      imports: {
        ...imports,
        setSummary: async (...told) => {
          const item = await imports.setSummary(...told);
          await put();
          return item;
        },
      },
    };
  }),

  'chunks pass the closed gate': withChunk(({ gate: { epoch }, ...known }) => ({ ...known, gate: { epoch } })),

  'the request of a revert leaves the gate open': withReverts((reverts) => ({
    request: async (revert) => {
      if ((await reverts.read(revert.subject)) === undefined) await reverts.putDone(revert);
      return revert;
    },
  })),

  'a plan that another delivery put first is carried out at the closed gate': withChunk((known) => {
    const { gate, import: item, plan } = known;
    const isCancelled = item !== undefined && item.cancelled_at !== null;
    return isCancelled && plan === undefined ? { ...known, gate: { epoch: gate.epoch } } : known;
  }),

  'no step waits for chunks that started before the gate was closed': withReverts((reverts) => ({
    advance: (revert, change) =>
      reverts.advance(revert, change.phase === 'closing' ? { ...change, until: revert.requested_at } : change),
  })),

  'several invocations work for a revert at once': withReverts((reverts) => ({
    advance: async (revert, change) => (isTurn(change) ? revert : reverts.advance(revert, change)),
  })),

  'plans know no epoch': withChunk((known) => ({ ...known, gate: { ...known.gate, epoch: 0 } })),

  'chunks do not note the imports that they rely on': withStores(({ imports }) => ({
    imports: { ...imports, putReliances: async () => {} },
  })),

  'notes are not moved to the import that has the content now': withStores(({ imports }) => {
    let isGiving = false;
    return {
      imports: {
        ...imports,
        readReliances: async (item) => {
          isGiving = true;
          return imports.readReliances(item);
        },
        putReliances: async (...reliances) => (isGiving ? undefined : imports.putReliances(...reliances)),
      },
    };
  }),

  'a finished chunk is processed again': withChunk((known) => {
    const { import: item, ...rest } = known;
    return item === undefined ? known : { ...rest, import: { ...item, status: 'processing', summaries: {} } };
  }),

  'ids are not freed': withReverts(() => ({ free: async () => {} })),

  'ids are freed that another import holds': withReverts((reverts) => ({
    putReport: (ids, report) => reverts.putReport(ids, { ...report, freed: report.records.map(({ index }) => index) }),
  })),

  'half a run is reverted': withReverts((reverts) => ({
    remove: (company_id, written) => {
      const [first] = written;
      const ofFirst = written.filter(({ contribution: { import_id } }) => import_id === first?.contribution.import_id);
      return reverts.remove(company_id, ofFirst);
    },
  })),

  'a second request of a run adds nothing': withReverts((reverts) => ({
    request: async (revert) => {
      const running = await reverts.read(revert.subject);
      return running === undefined || running.phase === 'done' ? reverts.request(revert) : running;
    },
  })),

  'nothing is removed': withReverts(() => ({ remove: async () => {} })),
};
