/** Wrong applications of plans. Each leaves out one guard of the design; the simulator must catch it. */
import type { StagedChunk } from '../../functions/records/staged.ts';
import type { Contribution } from '../../functions/shared/model.ts';
import type { EveryStore } from '../kit/services.ts';
import type { BrokenContext } from './services.ts';
import type { Variant } from './stack.ts';
import { withStores } from './variants.ts';

type Imports = EveryStore['imports'];
type Plans = EveryStore['plans'];

const withImports = (change: (imports: Imports, context: BrokenContext) => Partial<Imports>) =>
  withStores(({ imports }, context) => ({ imports: { ...imports, ...change(imports, context) } }));

const withPlans = (change: (plans: Plans, context: BrokenContext) => Partial<Plans>) =>
  withStores(({ plans }, context) => ({ plans: { ...plans, ...change(plans, context) } }));

/** Invocations of this kind do not know that a second person must approve. */
const withoutSetting = (kind: string): Variant => ({
  breakServices: (services, { by }) => (by.kind === kind ? { ...services, approval: 'none' } : services),
});

const NO_HEADERS = { ratelimit: '', 'ratelimit-policy': '' };

/** The payload of a chunk as it is read. */
const withPayload = (change: (payload: StagedChunk) => StagedChunk) =>
  withImports((imports) => ({
    async readChunk(work) {
      const known = await imports.readChunk(work);
      return known.payload === undefined ? known : { ...known, payload: change(known.payload) };
    },
  }));

const isDriven = (import_id: string): boolean => /^[a-z]/.test(import_id);

let drawn = 0;

export const PLAN_VARIANTS: Readonly<Record<string, Variant>> = {
  'an import of a plan is decided as any other': withImports((imports) => ({
    async readChunk(work) {
      const known = await imports.readChunk(work);
      const { planned_by: _, ...item } = known.import ?? {};
      return known.import === undefined ? known : { ...known, import: item as typeof known.import };
    },
  })),

  'imports of the plan are not left aside': withStores(({ progress }) => ({
    progress: {
      ...progress,
      async *historiesInSlices(...asked) {
        const foreign = (id: string) => (isDriven(id) ? `zz${id.slice(2)}` : id);
        const changed = (each: Contribution) => ({ ...each, import_id: foreign(each.import_id) });
        for await (const slice of progress.historiesInSlices(...asked))
          yield slice.map(([pair, history]) => [
            pair,
            history && { ...history, contributions: history.contributions.map(changed) },
          ]);
      },
    },
  })),

  'each attempt accepts an import of its own': withImports((imports) => ({
    async commit(item) {
      if (item.planned_by === undefined) return imports.commit(item);
      drawn += 1;
      return imports.commit({ ...item, import_id: `${item.import_id.slice(0, 18)}${String(drawn).padStart(8, '0')}` });
    },
  })),

  'imports are accepted at the time of each clock': withImports((imports) => ({
    commit: (item) =>
      imports.commit(item.planned_by === undefined ? item : { ...item, created_at: '2026-01-01T00:00:30.000Z' }),
  })),

  'the end waits for no import': withImports((imports) => ({
    async readAll(company_id, ids) {
      const found = await imports.readAll(company_id, ids);
      return ids.every(isDriven) ? found.filter(({ status }) => status !== 'processing') : found;
    },
  })),

  'what the plan rejected is judged again': withPayload(({ rejected: _, ...payload }) => payload),

  'nobody looks after an application': withStores(({ jobs }) => ({
    jobs: { ...jobs, listOpen: async () => (await jobs.listOpen()).filter(({ kind }) => kind !== 'application') },
  })),

  'a notice is settled before it is sent': {
    breakServices: (services) => ({ ...services, notices: { send: async () => {} } }),
  },

  'a cancel is overlooked by the driver': withPlans((plans) => ({
    async read(ids) {
      const plan = await plans.read(ids);
      return plan && { ...plan, cancelled_at: null };
    },
  })),

  'the driver passes the gate of an erasure': withStores(({ jobs }, { by }) => ({
    jobs: {
      ...jobs,
      async readGate(company_id) {
        const { by: holder, ...gate } = await jobs.readGate(company_id);
        return by.kind === 'process' && holder?.startsWith('erasure') === true
          ? gate
          : { ...gate, ...(holder && { by: holder }) };
      },
    },
  })),

  'the setting is not asked when a plan is applied': withoutSetting('apply'),
  'the setting is not asked of a single import': withoutSetting('accept'),

  'whoever made a plan may approve it': withPlans((plans) => ({
    async read(ids) {
      const plan = await plans.read(ids);
      // As a machine makes one.
      return plan && { ...plan, created_by: null, senders: [] };
    },
  })),

  'imports of a plan are not counted towards the quota': withStores(({ quotas }, { by }) => ({
    quotas: {
      ...quotas,
      spend: (...use) => (by.kind === 'process' ? Promise.resolve(NO_HEADERS) : quotas.spend(...use)),
    },
  })),

  'a quota that is used up is passed': withStores(({ quotas }, { by }) => ({
    quotas: {
      ...quotas,
      spend: (...use) => (by.kind === 'process' ? quotas.spend(...use).catch(() => NO_HEADERS) : quotas.spend(...use)),
    },
  })),

  'a plan that has expired is applied': withPlans((plans, { by }) => ({
    async read(ids) {
      const plan = await plans.read(ids);
      return by.kind === 'apply' ? plan && { ...plan, expires_at: '9999-01-01T00:00:00.000Z' } : plan;
    },
  })),

  'a report that is gone is an empty one': withImports((imports) => ({
    readPlans: async (...reading) =>
      (await imports.readPlans(...reading)).map((plan) => plan ?? { records: [], planned: [], epoch: 0 }),
  })),

  'a newer plan withdraws one that is applied': withPlans((plans, { by }) => ({
    async read(ids) {
      const plan = await plans.read(ids);
      return by.kind === 'replace' && plan?.status === 'applying' ? { ...plan, status: 'waiting' } : plan;
    },
  })),

  'that a person was erased is not copied': withPayload(({ erased: _, ...payload }) => payload),
};
