import { type RequestErrorCode, REQUEST_ERROR_STATUS } from '../../functions/shared/codes.ts';
import { type Route } from '../../functions/shared/routes.ts';
import { schemaRef } from './component-schemas.ts';
import type { Operation } from './operation.ts';
import { REQUEST_ERRORS } from './request-errors.ts';
import { headerRefs, COMMON_HEADERS, type HeaderName, QUOTA_HEADERS } from './response-headers.ts';

type ErrorGroup = ReturnType<typeof errorGroups>[number];

/** The codes of an operation by status, statuses ascending. `isProtected`: it needs a token, so that its 401 names the scheme. */
export function errorGroups(operation: Operation) {
  const byStatus = Map.groupBy(new Set(errorsOf(operation)), (code) => REQUEST_ERROR_STATUS[code]);
  const isProtected = operation.access !== 'public';
  return [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, codes]) => ({ status, codes, isProtected }));
}

/** A reference to the component of a group: operations with the same errors share one. */
export function errorResponseRef(group: ErrorGroup): { $ref: string } {
  return { $ref: `#/components/responses/${nameOf(group)}` };
}

/** The responses of these groups as components: each names its codes and shows one envelope a code. */
export function errorComponents(groups: readonly ErrorGroup[]) {
  return Object.fromEntries(groups.map((group) => [nameOf(group), errorResponse(group)]));
}

const IMPLIED_ERRORS: Readonly<Record<Route['access'], readonly RequestErrorCode[]>> = {
  public: ['invalid_request'],
  session: ['invalid_request', 'unauthorized', 'insufficient_scope'],
  migration: ['invalid_request', 'unauthorized', 'forbidden', 'insufficient_scope', 'migrations_not_enabled'],
};

/** Every code that an operation may return: those that its access, its body and its path imply, its own, and those of any operation. */
function errorsOf({ access, method, path, errors = [], problems }: Operation): RequestErrorCode[] {
  if (problems !== undefined) return ['too_many_requests', 'internal_error', 'temporarily_unavailable'];
  const ofBody: RequestErrorCode[] = method === 'GET' ? [] : ['invalid_request', 'payload_too_large'];
  return [
    ...IMPLIED_ERRORS[access],
    ...ofBody,
    ...(['import', 'run'] as const)
      .filter((each) => path.includes(`{${each}_id}`))
      .map((each) => `${each}_not_found` as const),
    ...errors,
    'too_many_requests',
    'internal_error',
    'temporarily_unavailable',
  ];
}

function nameOf({ codes, isProtected }: ErrorGroup): string {
  const challenge = isProtected && codes.includes('unauthorized');
  return [codes.join('-or-'), ...(challenge ? ['of-token'] : [])].join('-');
}

function errorResponse(group: ErrorGroup) {
  return {
    description: group.codes.map((code) => `\`${code}\`: ${REQUEST_ERRORS[code].when}.`).join(' '),
    headers: headerRefs([...COMMON_HEADERS, ...headersOf(group)]),
    content: {
      'application/json': {
        schema: schemaRef('ErrorEnvelope'),
        examples: Object.fromEntries(group.codes.flatMap((code) => examplesOf(code, group.isProtected))),
      },
    },
  };
}

function headersOf({ status, codes, isProtected }: ErrorGroup): HeaderName[] {
  if (codes.includes('insufficient_scope')) return ['x-amzn-Remapped-WWW-Authenticate.scope'];
  if (status === 401 && isProtected) return ['x-amzn-Remapped-WWW-Authenticate'];
  if (status === 429) return ['Retry-After', ...QUOTA_HEADERS];
  return status === 503 ? ['Retry-After'] : [];
}

function examplesOf(code: RequestErrorCode, isProtected: boolean) {
  const { message, field, withoutToken } = REQUEST_ERRORS[code];
  const messages =
    isProtected || withoutToken === undefined
      ? [[code, message]]
      : Object.entries(withoutToken).map(([operation, text]) => [`${code} ${operation}`, text]);
  return messages.map(([name = '', text = '']) => [name, { value: envelopeOf(code, text, field) }] as const);
}

function envelopeOf(error_code: RequestErrorCode, message: string, field: string | undefined) {
  const problem = { error_code, message, ...(field === undefined ? {} : { field }) };
  return { errors: [problem], request_id: 'JKJaXmPLvHcESHA=' };
}
