/** A world whose gate is read from a broken variant of the sources, in front of an operation that does nothing. */
import type { ApiHandler } from '../../../functions/runtime/pipeline.ts';
import type { ServicesSource } from '../../../functions/runtime/live-services.ts';
import type { MigrationOptions } from '../../../functions/runtime/operation.ts';
import type { TokenParties, TokenVerifier } from '../../../functions/workflow/tokens.ts';
import type { SigningKeyStore } from '../../../functions/workflow/ports.ts';
import { apiEvent, CONTEXT } from '../../support/api-event.ts';
import { createWorld } from './world.ts';

type Operation = () => Promise<object>;

interface Gate {
  readonly sessionOperation: (operation: Operation, services: ServicesSource) => ApiHandler;
  readonly migrationOperation: (
    operation: Operation,
    options: MigrationOptions,
    services: ServicesSource,
  ) => ApiHandler;
}
interface Verifying {
  readonly tokenVerifier: (options: TokenParties & { readonly keys: Pick<SigningKeyStore, 'read'> }) => TokenVerifier;
}

export type Access = 'session' | 'migration';

export async function gateOf(mutant: string) {
  const world = await createWorld();
  const gate = (await variant('runtime/operation.ts', mutant)) as Gate;
  const { tokenVerifier } = (await variant('workflow/verify-token.ts', mutant)) as Verifying;
  const keyReads = { count: 0 };
  const keys: Pick<SigningKeyStore, 'read'> = {
    read: (kid) => {
      keyReads.count += 1;
      return world.stores.signingKeys.read(kid);
    },
  };
  const services = { ...world.services, verifier: tokenVerifier({ ...world.parties, keys }) };
  const operation = async () => ({ statusCode: 200, body: {} });
  const handlers: Record<Access, ApiHandler> = {
    session: gate.sessionOperation(operation, () => services),
    migration: gate.migrationOperation(operation, {}, () => services),
  };
  return {
    world,
    keyReads,
    ask: async (access: Access, authorization: string | undefined, company_id: string): Promise<string> => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const { statusCode, body } = await handlers[access](apiEvent({ headers, path: { company_id } }), CONTEXT);
      const { errors } = JSON.parse(body ?? '{}') as { errors?: { error_code: string }[] };
      return errors === undefined ? 'passed' : `${statusCode} ${errors[0]?.error_code}`;
    },
  };
}

function variant(file: string, mutant: string): Promise<unknown> {
  // Named only when it runs: the bundler must not look for it.
  const module = `../../../functions/${file}?mutant=${mutant}`;
  return import(/* @vite-ignore */ module);
}
