/** The trace of an applied fact (§13.1): the entity, and what an audit asks of the change. No value of a member. */
import type { Fact, FactOutcome } from './facts.ts';
import type { Fields } from '../runtime/telemetry.ts';
import { USER_CHANGES, type UserChange } from '../shared/codes.ts';

/**
 * Members of the log line: `kind`, the ids of the entity, `version`, what the fact does beside changing the entity, and of a user
 * whether license, role, password and address changed.
 */
export function auditFields(fact: Fact, outcome: FactOutcome): Fields {
  const changed = 'changed' in outcome ? outcome.changed : undefined;
  return {
    kind: fact.kind,
    company_id: fact.of.company_id,
    ...idsOf(fact, outcome),
    ...('version' in fact && { version: fact.version, ...(fact.force === true && { forced: true }) }),
    ...effectOf(fact),
    ...(changed && changesIn(changed)),
  };
}

function idsOf({ of }: Fact, outcome: FactOutcome): Fields {
  const user_id = 'id' in of ? of.id : 'user_id' in outcome ? outcome.user_id : undefined;
  return {
    ...(user_id !== undefined && { user_id }),
    ...('platform_course_id' in of && { platform_course_id: of.platform_course_id }),
  };
}

function effectOf(fact: Fact): Fields {
  if ('erases' in fact) return { erased: true };
  if ('ends_sessions' in fact) return { sessions_ended: true };
  return fact.row === undefined ? { deleted: true } : {};
}

const changesIn = (changed: readonly UserChange[]): Fields =>
  Object.fromEntries(USER_CHANGES.map((change) => [`${change}_changed`, changed.includes(change)]));
