/** The simulator's broken variants as histories. */
import { CORRECTION_VARIANTS } from '../../simulation/correction-variants.ts';
import { ERASURE_VARIANTS } from '../../simulation/erasure-variants.ts';
import { PLAN_VARIANTS } from '../../simulation/plan-variants.ts';
import { REVERT_VARIANTS } from '../../simulation/revert-variants.ts';
import type { Variant } from '../../simulation/stack.ts';
import { VARIANTS } from '../../simulation/variants.ts';

/** Some have the name of a variant of reverts, which leaves out the same. */
const ofErasures = Object.fromEntries(
  Object.entries(ERASURE_VARIANTS).map(([name, variant]) => [`erasure: ${name}`, variant]),
);

/** In the specification each request of a run is a separate revert: the simulator shows what a later one covers. */
const { 'a second request of a run adds nothing': _, ...ofReverts } = REVERT_VARIANTS;

/** Those that show where a plan has one dry run, nothing changes beside it, and its gate is open. */
const SHOWN_OF_PLANS = new Set(['the end waits for no import', 'a cancel is overlooked by the driver']);
const ofPlans = Object.fromEntries(Object.entries(PLAN_VARIANTS).filter(([name]) => SHOWN_OF_PLANS.has(name)));

export const TRACED_VARIANTS: readonly (readonly [name: string, variant: Variant])[] = Object.entries({
  ...VARIANTS,
  ...ofReverts,
  ...CORRECTION_VARIANTS,
  ...ofErasures,
  ...ofPlans,
});
