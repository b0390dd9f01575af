/** The only way to the engines: decides each call by the role of its access key, and refuses pages of a browser. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientSettings, isLoopbackHost } from '../endpoints.ts';
import { type LocalEngine, bodyOf } from '../engines.ts';
import { type RequestedAction, statementFor } from './policy.ts';
import { type Service, type Target, requestedActions, targetOf } from './requested.ts';
import type { Role } from './roles.ts';

type Engines = Readonly<Record<Service, LocalEngine>>;

export interface DecidedCall {
  readonly caller: string;
  readonly requested: readonly RequestedAction[];
  readonly allowed: boolean;
  readonly body: string;
}

/** At `false` the connection breaks before the engine is reached; a requested action that it returns is denied. */
export type CallObserver = (call: DecidedCall) => boolean | RequestedAction;

export type AuthorisingProxy = Awaited<ReturnType<typeof startAuthorisingProxy>>;

const OPERATOR = 'operator';

/** Unguessable, so the key alone proves who calls: signatures are not checked. */
const newAccessKey = (): string => `LOCAL${randomBytes(16).toString('hex').toUpperCase()}`;

export async function startAuthorisingProxy(engines: Engines, observe?: CallObserver) {
  const operatorKey = newAccessKey();
  const callers = new Map<string, Role | typeof OPERATOR>([[operatorKey, OPERATOR]]);
  // Idle connections stay open: a client must not meet one that is being closed.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const admitted = admission(request, callers);
    if (typeof admitted === 'string') return refuse(response, admitted);
    pass(request, response, admitted).catch(() => response.destroy());
  });
  async function pass(request: IncomingMessage, response: ServerResponse, admitted: Admitted): Promise<void> {
    const { caller, target } = admitted;
    const body = await bodyOf(request);
    if (caller !== OPERATOR) {
      const text = body.toString('utf8');
      const requested = requestedActions(target, JSON.parse(text));
      const unpermitted = requested.find((action) => statementFor(caller.statements, action) === undefined);
      const call = { caller: caller.functionId, requested, allowed: unpermitted === undefined, body: text };
      const observed = observe?.(call) ?? true;
      if (observed === false) return void response.destroy();
      const denied = observed === true ? unpermitted : observed;
      if (denied !== undefined) return deny(response, caller, denied);
    }
    const { headers, url: path = '/' } = request;
    const { status, body: content } = await engines[target.service].respond({
      target: String(headers['x-amz-target']),
      path,
      headers,
      body,
      onAbandoned: (listener) =>
        response.on('close', () => {
          if (!response.writableFinished) listener();
        }),
    });
    response.writeHead(status, { ...JSON_BODY, 'content-length': content.length }).end(content);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    /** For this process's own clients, which may do anything. */
    operator: clientSettings(endpoint, operatorKey),
    /** Returns the access key of each role, by the function's logical id. Until then, only the operator is known. */
    admit(roles: ReadonlyMap<string, Role>): ReadonlyMap<string, string> {
      const keys = new Map([...roles.keys()].map((functionId) => [functionId, newAccessKey()]));
      for (const [functionId, role] of roles) callers.set(String(keys.get(functionId)), role);
      return keys;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Admitted {
  readonly caller: Role | typeof OPERATOR;
  readonly target: Target;
}

function admission(
  { headers, url }: IncomingMessage,
  callers: ReadonlyMap<string, Role | typeof OPERATOR>,
): Admitted | string {
  if (headers.origin !== undefined) return 'Pages of a browser have no access to the engines of the local stack.';
  if (!isLoopbackHost(headers.host)) return 'The host is not this machine.';
  const [, accessKeyId = ''] = /\bCredential=([^/]*)\//.exec(headers.authorization ?? '') ?? [];
  const caller = callers.get(accessKeyId);
  if (caller === undefined) return 'The access key is not one of this local stack.';
  const target = targetOf(headers['x-amz-target'], url);
  return target === undefined ? 'The local stack has no such service.' : { caller, target };
}

const JSON_BODY = { 'content-type': 'application/x-amz-json-1.0' };

/** Responds as AWS does if no statement of the role allows the action. */
function deny(response: ServerResponse, { principal }: Role, { action, resource }: RequestedAction): void {
  const Message =
    `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} ` +
    `because no identity-based policy allows the ${action} action`;
  const error = { __type: 'com.amazon.coral.service#AccessDeniedException', Message };
  response.writeHead(400, JSON_BODY).end(JSON.stringify(error));
}

function refuse(response: ServerResponse, Message: string): void {
  const error = { __type: 'com.amazon.coral.service#UnrecognizedClientException', Message };
  response.writeHead(403, { ...JSON_BODY, connection: 'close' }).end(JSON.stringify(error));
}
