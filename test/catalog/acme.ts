/** Acme's users and courses on a table in memory, and calls by its admin, held to the schemas of the document. */
import * as v from 'valibot';
import { beforeEach, expect } from 'vitest';
import type { ProtectedOperation } from '../../functions/http/types.ts';
import type { Course, License, User } from '../../functions/shared/model.ts';
import { SCHEMAS, type SchemaName } from '../../lib/openapi/component-schemas.ts';
import { operationRequest, withBody } from '../kit/api-event.ts';
import { createWorld, type World } from '../kit/world.ts';
import { planted } from '../kit/planted.ts';

export const NOW = '2026-01-02T03:04:05.678Z';

export type Responses = { [Name in SchemaName]: v.InferOutput<(typeof SCHEMAS)[Name]> };

export interface Acme {
  readonly world: World;
  /** Sort keys of all writes since the test started, but for the counters of quotas. */
  readonly writes: string[];
}

export function useAcme(): () => Acme {
  let acme: Acme;
  beforeEach(async () => {
    const world = createWorld();
    world.clock.now = Date.parse(NOW);
    await planted(world.stores.platform).putUsers([
      user(7, 'ana@acme.test', 'acme', 'active'),
      user(8, 'bo@acme.test', 'acme', 'inactive'),
      user(9, 'cy@other.test', 'other', 'active'),
      user(10, 'dee@acme.test', 'acme', 'active'),
    ]);
    await planted(world.stores.platform).putCourses('acme', [101, 102, 103].map(course));
    const writes: string[] = [];
    world.table.onWrite = ({ sk }) => {
      if (sk !== 'quota') writes.push(sk);
    };
    acme = { world, writes };
  });
  return () => acme;
}

function user(user_id: number, email: string, company_id: string, license: License): User {
  return { user_id, email, company_id, license, name: email, role: 'customer', avatar: '' };
}

export function course(platform_course_id: number): Course {
  return { platform_course_id, title: `${platform_course_id}`, has_exam: true, classes: [] };
}

export async function call<Schema extends SchemaName>(
  { world }: Pick<Acme, 'world'>,
  operation: ProtectedOperation<World['services']>,
  schema: Schema,
  { query = {}, body = {} }: { query?: Record<string, string>; body?: object } = {},
) {
  const response = await operation(operationRequest({ query, ...withBody(body) }), world.services);
  expect(response.statusCode).toBe(200);
  expect(v.safeParse(SCHEMAS[schema], response.body).issues).toBeUndefined();
  return response.body as Responses[Schema];
}
