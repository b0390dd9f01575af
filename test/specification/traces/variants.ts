/** The simulator's broken variants, as histories: which of them the specification has no words for, and where the others are found. */
import { ERASURE_VARIANTS } from '../../simulation/erasure-variants.ts';
import { REVERT_VARIANTS } from '../../simulation/revert-variants.ts';
import type { Variant } from '../../simulation/stack.ts';
import { VARIANTS } from '../../simulation/variants.ts';

const EVENTS = 'it has no events';
const RECORDS = 'it knows of a record the pair and the content alone';
const TIME = 'it has no time';
const BATCHES = 'it reads and writes a batch in one moment';

/** Why the specification accepts their histories: what they break is no part of it. The simulator finds each. */
const NOT_SPECIFIED: Readonly<Record<string, string>> = {
  'dates default to the time of processing': RECORDS,
  'a key is not bound to its payload': 'it has no payloads but those that name a person who is erased',
  'the payload is staged after the commit': 'it has no payloads but those that name a person who is erased',
  'an import is closed before its event is sent': EVENTS,
  'the end is told before it is written': EVENTS,
  'an overflow item is not named': 'a history is one item',
  'duplicates are found chunk by chunk': RECORDS,
  'the report of a dry run is kept without its attempt': 'it has no dry runs',
  'imports are given up at once': TIME,
  'imports are given up after a day, whatever was tried': TIME,
  'keys left unprocessed count as absent': BATCHES,
  'items left unprocessed are forgotten': BATCHES,
  'polls read eventually': 'it has no polls',
  'mappings are read eventually although they were changed lately': 'it has no mappings but those that a fault changes',
  'erasure: the sessions stay': 'it has no sessions',
  'erasure: the mappings stay': 'it has no mappings but those that a fault changes',
};

/** Those that few histories show are tried from this seed on. */
const SHOWN_LATE: Readonly<Record<string, number>> = {
  'an import is committed over another': 25,
  'plans know no epoch': 100,
  'erasure: no function that began before the gate was closed is waited for': 175,
  'throttled statements count as done': 180,
  'a plan that another delivery put first is carried out at the closed gate': 50,
};

export interface TracedVariant {
  readonly name: string;
  readonly variant: Variant;
  readonly from: number;
  /** Why its histories are accepted; `undefined` if one must be rejected. */
  readonly notSpecified: string | undefined;
}

/** Some have the name of one of reverts, which leaves out the same. */
const ofErasures = Object.fromEntries(
  Object.entries(ERASURE_VARIANTS).map(([name, variant]) => [`erasure: ${name}`, variant]),
);

export const TRACED_VARIANTS: readonly TracedVariant[] = Object.entries({
  ...VARIANTS,
  ...REVERT_VARIANTS,
  ...ofErasures,
}).map(([name, variant]) => ({ name, variant, from: SHOWN_LATE[name] ?? 0, notSpecified: NOT_SPECIFIED[name] }));

/** Names in the lists above that no variant has. */
export const UNKNOWN_NAMES = [NOT_SPECIFIED, SHOWN_LATE]
  .flatMap((list) => Object.keys(list))
  .filter((name) => TRACED_VARIANTS.every((each) => each.name !== name));
