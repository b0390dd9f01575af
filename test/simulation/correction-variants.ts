/** Wrong implementations of `replace` (rule 12). The simulator must catch each. */
import { learnerCourseId } from '../../functions/records/identifiers.ts';
import type { Contribution } from '../../functions/shared/model.ts';
import type { BrokenContext } from './services.ts';
import type { Variant } from './stack.ts';
import { withStores } from './variants.ts';

const writing = (change: (contribution: Contribution, broken: BrokenContext) => Contribution): Variant =>
  withStores(({ progress }, broken) => ({
    progress: {
      ...progress,
      contribute: (company_id, writes) =>
        progress.contribute(
          company_id,
          writes.map((write) =>
            write.contribution.replaces === true
              ? { ...write, contribution: change(write.contribution, broken) }
              : write,
          ),
        ),
    },
  }));

export const CORRECTION_VARIANTS: Readonly<Record<string, Variant>> = {
  'what replaces is placed by the order of processing': writing((contribution, { by }) => ({
    ...contribution,
    imported_at: new Date(by.nowMs()).toISOString(),
  })),

  'another record is replaced': writing((contribution) => ({ ...contribution, external_record_id: 'r-1' })),

  'what replaces is joined': writing(({ replaces: _, ...contribution }) => contribution),

  'imports that replace are not noted': withStores(({ imports }) => ({
    imports: { ...imports, noteReplacing: async () => {} },
  })),

  'a revert removes what others contributed': withStores(({ progress, reverts }) => ({
    reverts: {
      ...reverts,
      remove: async (company_id, writes) => {
        const histories = await progress.courseHistories(company_id, writes);
        const all = writes.flatMap((write) =>
          (histories.get(learnerCourseId(write))?.contributions ?? []).map((contribution) => ({
            ...write,
            contribution,
          })),
        );
        await reverts.remove(company_id, all);
      },
    },
  })),
};
