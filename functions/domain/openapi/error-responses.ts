import type { RequestErrorCode } from '../codes.ts';
import { schemaRef } from './component-schemas.ts';
import { headerRefs, type HeaderName } from './parameters.ts';

interface ErrorSpec {
  readonly status: number;
  readonly when: string;
  /** Of the example. */
  readonly message: string;
  readonly field?: string;
}

/** Every request-level error (§7.1, §7.2): a code that is not in this table does not compile. */
export const REQUEST_ERRORS: Readonly<Record<RequestErrorCode, ErrorSpec>> = {
  invalid_request: {
    status: 400,
    when: 'malformed body, header, path or query value, or JSON nested deeper than 32 levels',
    message: 'The body must be a JSON object.',
  },
  unauthorized: {
    status: 401,
    when: 'missing, invalid or expired credentials or token; also the token of a user who is gone or no longer active',
    message: 'The credentials or the token are not valid.',
  },
  forbidden: {
    status: 403,
    when: 'the token is valid, but not of an admin of this company',
    message: 'This operation is for admins of the company.',
  },
  migrations_not_enabled: {
    status: 403,
    when: 'the company of the caller has not been enabled for migrations',
    message: 'Migrations are not enabled for this company.',
  },
  import_not_found: {
    status: 404,
    when: 'the company has no such import',
    message: 'This company has no import of that id.',
  },
  record_not_found: {
    status: 404,
    when: 'no record of that external_record_id was imported',
    message: 'No record of that external_record_id was imported.',
    field: 'external_record_id',
  },
  route_not_found: { status: 404, when: 'no such path or method', message: 'No such path or method.' },
  batch_too_large: {
    status: 413,
    when: 'over 500 records, over 100 e-mails or over 500 mappings',
    message: 'The batch holds too many items.',
  },
  payload_too_large: { status: 413, when: 'the body is over 4 MiB', message: 'The body must be at most 4 MiB.' },
  idempotency_key_reused: {
    status: 422,
    when: 'the Idempotency-Key was used with another payload (a flipped dry_run is another payload)',
    message: 'The Idempotency-Key was used with another payload.',
    field: 'Idempotency-Key',
  },
  too_many_requests: {
    status: 429,
    when: 'throttled; see Retry-After',
    message: 'Too many failed logins. Try again later.',
  },
  internal_error: { status: 500, when: 'a fault of ours', message: 'Something went wrong on our side.' },
  temporarily_unavailable: {
    status: 503,
    when: 'a dependency is throttling or down; safe to retry, see Retry-After',
    message: 'The service is temporarily unavailable. Try again.',
  },
};

/** The codes that one operation answers with one status. */
export type CodeGroup = readonly RequestErrorCode[];

/** Codes by status, statuses ascending; the name of each group is that of its response component. */
export function groupedByStatus(codes: CodeGroup): [status: number, group: CodeGroup][] {
  const groups = Map.groupBy(new Set(codes), (code) => REQUEST_ERRORS[code].status);
  return [...groups].toSorted(([one], [other]) => one - other);
}

export function errorResponseRef(group: CodeGroup): { $ref: string } {
  return { $ref: `#/components/responses/${nameOf(group)}` };
}

/** The responses of these groups as components: each names its codes and shows one envelope a code. */
export function errorComponents(groups: readonly [status: number, group: CodeGroup][]) {
  return Object.fromEntries(groups.map(([status, group]) => [nameOf(group), errorResponse(status, group)]));
}

function nameOf(group: CodeGroup): string {
  return group.join('-or-');
}

function errorResponse(status: number, group: CodeGroup) {
  return {
    description: group.map((code) => `\`${code}\`: ${REQUEST_ERRORS[code].when}.`).join(' '),
    headers: headerRefs(['x-request-id', ...(HEADERS_OF[status] ?? [])]),
    content: {
      'application/json': {
        schema: schemaRef('ErrorEnvelope'),
        examples: Object.fromEntries(group.map((code) => [code, { value: exampleEnvelope(code) }])),
      },
    },
  };
}

const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function exampleEnvelope(error_code: RequestErrorCode) {
  const { message, field } = REQUEST_ERRORS[error_code];
  return {
    errors: [{ error_code, message, ...(field === undefined ? {} : { field }) }],
    request_id: 'JKJaXmPLvHcESHA=',
  };
}
