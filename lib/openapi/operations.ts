/** Every operation of the document: its route and its specification. */
import { type RouteName, ROUTES } from '../../functions/shared/routes.ts';
import { AUTH_OPERATIONS, SERVICE_OPERATIONS, CATALOG_OPERATIONS } from './auth-operations.ts';
import { EVIDENCE_OPERATIONS, IMPORT_OPERATIONS, REVERT_OPERATIONS } from './import-operations.ts';
import type { Operation, OperationSpec } from './operation.ts';
import { parametersIn } from './parameters.ts';

/** A route without a specification does not compile. */
export const SPECS = {
  ...AUTH_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...REVERT_OPERATIONS,
  ...EVIDENCE_OPERATIONS,
} satisfies Readonly<Record<RouteName, OperationSpec>>;

/** Every operation in the order of the routes, with the parameters of its path. */
export const OPERATIONS: readonly Operation[] = ROUTES.map((route) => {
  const { parameters = [], ...spec }: OperationSpec = SPECS[route.name];
  return { ...route, ...spec, parameters: [...parametersIn(route.path), ...parameters] };
});

/** The groups of operations in the document, by which generated clients are divided. */
export const TAGS = [
  { name: 'Authentication', description: 'Tokens, and the user they belong to.', has: AUTH_OPERATIONS },
  { name: 'Catalog and users', description: 'What records refer to.', has: CATALOG_OPERATIONS },
  { name: 'Events', description: 'What the event bus of the account gets.', has: {} },
  {
    name: 'Progress imports',
    description: 'Importing, and reviewing what was imported.',
    has: { ...IMPORT_OPERATIONS, ...REVERT_OPERATIONS, ...EVIDENCE_OPERATIONS },
  },
  { name: 'Service', description: 'The service itself.', has: SERVICE_OPERATIONS },
];
