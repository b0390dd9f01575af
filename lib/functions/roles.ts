/** Which functions share a role, and what a role may do: the union of what its functions may (`grants.ts`). */
import { type Route, type RouteName, ROUTES } from '../../functions/shared/routes.ts';
import type { FunctionName } from '../function-sources.ts';
import type { FunctionGrants, TableAction } from './function-grants.ts';
import { grantsOf } from './grants.ts';
import type { ItemKind } from './item-kinds.ts';

type TableEntry = [action: TableAction, kinds: readonly ItemKind[]];

function reading(isWanted: (route: Route) => boolean): RouteName[] {
  return ROUTES.filter((route) => route.method === 'GET' && isWanted(route)).map(({ name }) => name);
}

/** An account has 1,000 roles: functions of one kind share one, but not those that sign or have no caller. Those that end imports and runs also make and close drafts. */
const SHARED_ROLES: Readonly<Record<string, readonly FunctionName[]>> = {
  open: [...reading(({ access }) => access === 'public'), 'route-not-found'],
  reading: [...reading(({ access }) => access !== 'public'), 'resolve-users'],
  registering: ['register-user-mappings', 'register-course-mappings', 'delete-user-mapping', 'delete-course-mapping'],
  ending: [
    'cancel-import',
    'cancel-run',
    'revert-import',
    'revert-run',
    'put-run',
    'delete-run',
    'make-plan',
    'delete-plan',
    'approve-plan',
    'apply-plan',
  ],
};

/** The role of a function, and the functions that share it. */
export const roleOf = (name: FunctionName): readonly [role: string, members: readonly FunctionName[]] =>
  Object.entries(SHARED_ROLES).find(([, members]) => members.includes(name)) ?? [name, [name]];

/** The grants of a shared role: the union of those of its members. */
export function grantsOfAll(names: readonly FunctionName[]): FunctionGrants {
  const members = names.map(grantsOf);
  const table: Partial<Record<TableAction, readonly ItemKind[]>> = {};
  for (const [action, kinds] of members.flatMap((each) => Object.entries(each.table ?? {}) as TableEntry[])) {
    table[action] = [...new Set([...(table[action] ?? []), ...kinds])];
  }
  const indexes = new Map(members.flatMap((each) => each.indexes ?? []).map((each) => [JSON.stringify(each), each]));
  return { ...Object.assign({}, ...members), table, indexes: [...indexes.values()] };
}
