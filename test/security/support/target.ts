/** The target of the suites' requests: the handlers in this process, or the local stack over HTTP. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Route, ROUTES } from '../../../functions/shared/routes.ts';
import type { PublishingSigner } from '../../../functions/auth/signing-keys.ts';
import type { TokenParties } from '../../../functions/auth/tokens.ts';
import type { EveryStore } from '../../kit/services.ts';

export const routeOf = (name: string): Route => ROUTES.find((route) => route.name === name) as Route;

export interface Sent {
  readonly route: Route;
  /** Values of the path's parameters, decoded. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly sourceIp?: string;
}

export interface Answered {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Target {
  readonly stores: EveryStore;
  readonly signer: PublishingSigner;
  readonly parties: TokenParties;
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly nowMs: () => number;
  readonly send: (sent: Sent) => Promise<Answered>;
}

interface ErrorEnvelope {
  readonly errors?: readonly { readonly error_code: string; readonly message: string; readonly field?: string }[];
}

/** `403 forbidden`, or only the status if the response has no envelope. */
export function verdictOf({ status, text }: Answered): string {
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const code = (body as ErrorEnvelope | undefined)?.errors?.[0]?.error_code;
  return code === undefined ? String(status) : `${status} ${code}`;
}
