/**
 * The deployed handlers without their deployment: a module of `functions/handlers` then exports how its handler is made, with
 * the services as the argument. Its operation, its options and the whole chain are as deployed.
 */
import { vi } from 'vitest';
import type * as handlers from '../../../functions/http/handler.ts';
import type { ServicesSource } from '../../../functions/services/services.ts';

vi.mock('../../../functions/http/handler.ts', async (original) => {
  const real = await original<typeof handlers>();
  const { publicOperation, sessionOperation, migrationOperation, staticOperation } = real;
  return {
    ...real,
    publicOperation:
      (...[operation]: Parameters<typeof publicOperation>) =>
      (source: ServicesSource) =>
        publicOperation(operation, source),
    sessionOperation:
      (...[operation]: Parameters<typeof sessionOperation>) =>
      (source: ServicesSource) =>
        sessionOperation(operation, source),
    migrationOperation:
      (...[operation, options]: Parameters<typeof migrationOperation>) =>
      (source: ServicesSource) =>
        migrationOperation(operation, options, source),
    staticOperation:
      (...[operation]: Parameters<typeof staticOperation>) =>
      (source: ServicesSource) =>
        staticOperation(operation, source),
  };
});
