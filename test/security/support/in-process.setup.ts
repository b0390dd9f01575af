/**
 * The deployed handlers without their deployment: a module of `functions/handlers` then exports how its handler is made, with
 * the services as the argument. Its operation, its options and the whole chain are as deployed.
 */
import { vi } from 'vitest';
import type * as handlers from '../../../functions/http/handler.ts';
import type { MigrationOptions } from '../../../functions/http/handler.ts';
import type { ProtectedOperation, PublicOperation } from '../../../functions/http/types.ts';
import type { Services } from '../../../functions/services/services.ts';

type ServicesSource = () => Services;

vi.mock('../../../functions/http/handler.ts', async (original) => {
  const real = await original<typeof handlers>();
  const { publicOperation, sessionOperation, migrationOperation, importOperation, staticOperation } = real;
  return {
    ...real,
    publicOperation: (operation: PublicOperation<Services>) => (source: ServicesSource) =>
      publicOperation(operation, source),
    sessionOperation:
      (...[operation]: Parameters<typeof sessionOperation>) =>
      (source: ServicesSource) =>
        sessionOperation(operation, source),
    migrationOperation:
      (operation: ProtectedOperation<Services>, options: MigrationOptions = {}) =>
      (source: ServicesSource) =>
        migrationOperation(operation, options, source),
    importOperation:
      (...[operation]: Parameters<typeof importOperation>) =>
      (source: ServicesSource) =>
        importOperation(operation, source),
    staticOperation:
      (...[operation]: Parameters<typeof staticOperation>) =>
      (source: ServicesSource) =>
        staticOperation(operation, source),
  };
});
