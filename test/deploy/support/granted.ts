/** The permissions of the roles of a template, each separately. */
import { type RequestedAction, isLike } from '../../../bin/local/iam/policy.ts';
import type { Role } from '../../../bin/local/iam/roles.ts';

export interface Granted {
  /** Logical ids of the functions that have the role. */
  readonly callers: readonly string[];
  readonly action: string;
  readonly resource: string;
  /** Pattern of leading keys, if the statement has that condition. */
  readonly keys?: string;
}

/** Calls that Lambda itself makes with any function's role. */
const LAMBDA_OWN: Readonly<Record<string, string>> = {
  'logs:CreateLogStream': 'Lambda opens a stream for each execution environment',
  'logs:PutLogEvents': 'Lambda delivers what the function writes',
};

/** Calls that Lambda makes with the role of a function with an event source; the local event source makes none. */
const EVENT_SOURCE_OWN: Readonly<Record<string, string>> = {
  ...LAMBDA_OWN,
  'sqs:ChangeMessageVisibility':
    'the event source hands failed messages back, and the function those that met a throttle',
  'sqs:GetQueueAttributes': 'the event source scales by the length of the queue',
  'sqs:GetQueueUrl': 'the event source finds the queue',
};

export function grantedBy(roles: Iterable<Role>): Granted[] {
  return [...Map.groupBy(roles, ({ roleId }) => roleId).values()].flatMap((sharing) => {
    const callers = sharing.map(({ functionId }) => functionId);
    const { statements = [] } = sharing[0] ?? {};
    const granted = statements.flatMap(({ actions, resources, conditions }) => {
      const patterns = conditions.find(({ operator }) => operator === 'ForAllValues:StringLike')?.values;
      return actions.flatMap((action) =>
        resources.flatMap((resource) =>
          (patterns ?? [undefined]).map((keys) => ({ callers, action, resource, ...(keys !== undefined && { keys }) })),
        ),
      );
    });
    const isFed = granted.some(({ action }) => action === 'sqs:ReceiveMessage');
    const lambdaOwn = isFed ? EVENT_SOURCE_OWN : LAMBDA_OWN;
    return granted.filter(({ action }) => !(action in lambdaOwn));
  });
}

export const isUse = (call: RequestedAction & { readonly caller: string }, grant: Granted): boolean =>
  grant.callers.includes(call.caller) &&
  grant.action === call.action &&
  grant.resource === call.resource &&
  (grant.keys === undefined || call.leadingKeys.some((key) => isLike(String(grant.keys), key)));
