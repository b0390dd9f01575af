/** The simulator's broken variants as histories, and the seeds that show them. */
import { CORRECTION_VARIANTS } from '../../simulation/correction-variants.ts';
import { ERASURE_VARIANTS } from '../../simulation/erasure-variants.ts';
import { REVERT_VARIANTS } from '../../simulation/revert-variants.ts';
import type { Variant } from '../../simulation/stack.ts';
import { VARIANTS } from '../../simulation/variants.ts';

/** Variants that few histories show are tried from this seed on. */
const SHOWN_LATE: Readonly<Record<string, number>> = {
  'an import is committed over another': 125,
  'plans know no epoch': 100,
  'erasure: no function that began before the gate was closed is waited for': 175,
  'throttled statements count as done': 180,
  'a plan that another delivery put first is carried out at the closed gate': 50,
};

export interface TracedVariant {
  readonly name: string;
  readonly variant: Variant;
  readonly from: number;
}

/** Some have the name of a variant of reverts, which leaves out the same. */
const ofErasures = Object.fromEntries(
  Object.entries(ERASURE_VARIANTS).map(([name, variant]) => [`erasure: ${name}`, variant]),
);

/** In the specification each request of a run is a separate revert: the simulator shows what a later one covers. */
const { 'a second request of a run adds nothing': _, ...ofReverts } = REVERT_VARIANTS;

export const TRACED_VARIANTS: readonly TracedVariant[] = Object.entries({
  ...VARIANTS,
  ...ofReverts,
  ...CORRECTION_VARIANTS,
  ...ofErasures,
}).map(([name, variant]) => ({ name, variant, from: SHOWN_LATE[name] ?? 0 }));

/** Names in the list above that no variant has. */
export const UNKNOWN_NAMES = Object.keys(SHOWN_LATE).filter((name) =>
  TRACED_VARIANTS.every((each) => each.name !== name),
);
