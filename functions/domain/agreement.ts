import type { Problem } from './codes.ts';

/** What one identifier led to: the entity, or why there is none. */
export type Found<Entity> = { readonly entity: Entity } | { readonly problem: Problem };

/** What became of the identifiers of one block. */
export interface Resolved<Entity> {
  readonly problems: readonly Problem[];
  readonly entity?: Entity;
}

/**
 * Rule 6: "each must resolve; then they must agree", else `identifier_mismatch` at the block that holds both.
 *
 * @param found what each identifier that was sent led to; one or two of them
 */
export function agreementOf<Entity>(
  block: 'user' | 'content',
  found: readonly Found<Entity>[],
  idOf: (entity: Entity) => number,
): Resolved<Entity> {
  const problems = found.flatMap((one) => ('problem' in one ? [one.problem] : []));
  if (problems.length > 0) return { problems };
  const entities = found.flatMap((one) => ('entity' in one ? [one.entity] : []));
  const [entity] = entities;
  if (entity === undefined) return { problems };
  if (entities.some((other) => idOf(other) !== idOf(entity))) return { problems: [mismatch(block)] };
  return { problems, entity };
}

function mismatch(block: 'user' | 'content'): Problem {
  const entity = block === 'user' ? 'users' : 'courses';
  const message = `the two identifiers of ${block} resolve to different ${entity}`;
  return { error_code: 'identifier_mismatch', message, field: block };
}
