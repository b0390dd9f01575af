/** The simulator's broken variants as histories. */
import { CORRECTION_VARIANTS } from '../../simulation/correction-variants.ts';
import { ERASURE_VARIANTS } from '../../simulation/erasure-variants.ts';
import { PLAN_VARIANTS } from '../../simulation/plan-variants.ts';
import { REVERT_VARIANTS } from '../../simulation/revert-variants.ts';
import type { Variant } from '../../simulation/stack.ts';
import { VARIANTS, withStores } from '../../simulation/variants.ts';

/** No history archives. */
const isOfArchive = (name: string): boolean => /\barchives?\b/.test(name);

/** Some have the name of a variant of reverts, which leaves out the same. */
const ofErasures = Object.fromEntries(
  Object.entries(ERASURE_VARIANTS).map(([name, variant]) => [`erasure: ${name}`, variant]),
);

/** In the specification each request of a run is a separate revert: the simulator shows what a later one covers. */
const { 'a second request of a run adds nothing': _, ...ofReverts } = REVERT_VARIANTS;

/** Those that show where nobody is erased beside a plan, no course changes, and nothing is replaced. */
const SHOWN_OF_PLANS = new Set([
  'imports of the plan are not left aside',
  'the end waits for no import',
  'a cancel is overlooked by the driver',
]);
const ofPlans = Object.fromEntries(Object.entries(PLAN_VARIANTS).filter(([name]) => SHOWN_OF_PLANS.has(name)));

/** No promise needs the driver to wait for a revert; the specification says that it does. */
const passing = withStores(({ jobs, plans }) => {
  let isDriving = false;
  return {
    plans: {
      ...plans,
      read(ids) {
        isDriving = true;
        return plans.read(ids);
      },
    },
    jobs: {
      ...jobs,
      async readGate(company_id) {
        const { by: holder, ...gate } = await jobs.readGate(company_id);
        return isDriving || holder === undefined ? gate : { ...gate, by: holder };
      },
    },
  };
});

export const TRACED_VARIANTS: readonly (readonly [name: string, variant: Variant])[] = Object.entries({
  ...VARIANTS,
  ...ofReverts,
  ...CORRECTION_VARIANTS,
  ...ofErasures,
  ...ofPlans,
  'the driver passes the gate of a revert': passing,
}).filter(([name]) => !isOfArchive(name));
