/**
 * The deployed handlers without their deployment: a module of `functions/handlers` then exports how its handler is made, with
 * the services as the argument. Its operation, its options and the whole chain are as deployed.
 */
import { vi } from 'vitest';
import type * as chain from '../../../functions/http/chain.ts';
import type * as operations from '../../../functions/http/operations.ts';
import type { MigrationOptions } from '../../../functions/http/operations.ts';
import type { ProtectedOperation, PublicOperation } from '../../../functions/http/types.ts';
import type { Services } from '../../../functions/services/services.ts';

type ServicesSource = () => Services;

vi.mock('../../../functions/http/chain.ts', async (original) => {
  const real = await original<typeof chain>();
  const { publicOperation, staticOperation } = real;
  return {
    ...real,
    publicOperation: (operation: PublicOperation<Services>) => (source: ServicesSource) =>
      publicOperation(operation, source),
    staticOperation:
      (...[operation]: Parameters<typeof staticOperation>) =>
      (source: ServicesSource) =>
        staticOperation(operation, source),
  };
});

vi.mock('../../../functions/http/operations.ts', async (original) => {
  const real = await original<typeof operations>();
  const { sessionOperation, migrationOperation, importOperation, importDownload } = real;
  return {
    ...real,
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
    importDownload:
      (...[operation, fromBytes]: Parameters<typeof importDownload>) =>
      (source: ServicesSource) =>
        importDownload(operation, fromBytes, source),
  };
});
