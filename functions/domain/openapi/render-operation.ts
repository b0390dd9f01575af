import type { RequestErrorCode } from '../codes.ts';
import { schemaRef } from './component-schemas.ts';
import { errorResponseRef, groupedByStatus } from './error-responses.ts';
import type { OperationSpec, Sample, SuccessSpec } from './operation-spec.ts';
import { headerRefs, parameterRef, type HeaderName } from './parameters.ts';

const IMPLIED_ERRORS: Readonly<Record<OperationSpec['access'], readonly RequestErrorCode[]>> = {
  public: [],
  session: ['invalid_request', 'unauthorized'],
  migration: ['invalid_request', 'unauthorized', 'forbidden', 'migrations_not_enabled'],
};

/** The Operation Object of an operation. */
export function renderOperation(spec: OperationSpec) {
  const parameters = [...(spec.access === 'migration' ? (['CompanyId'] as const) : []), ...(spec.parameters ?? [])];
  return {
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    security: spec.access === 'public' ? [] : [{ accessToken: [] }],
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterRef) }),
    ...(spec.request === undefined ? {} : { requestBody: { required: true, content: content(spec.request) } }),
    responses: {
      ...Object.fromEntries(spec.success.map((success) => [success.status, renderSuccess(spec, success)])),
      ...Object.fromEntries(
        groupedByStatus(errorsOf(spec)).map(([status, group]) => [status, errorResponseRef(group)]),
      ),
    },
  };
}

/** Every code that an operation may answer with: what its access and its body imply, its own, and those of any operation. */
export function errorsOf(spec: OperationSpec): RequestErrorCode[] {
  const ofBody: RequestErrorCode[] = spec.request === undefined ? [] : ['invalid_request', 'payload_too_large'];
  return [...IMPLIED_ERRORS[spec.access], ...ofBody, ...spec.errors, 'internal_error', 'temporarily_unavailable'];
}

function renderSuccess(spec: OperationSpec, { description, headers = [], ...sample }: SuccessSpec) {
  return { description, headers: headerRefs([...commonHeaders(spec, headers), ...headers]), content: content(sample) };
}

/** Everything under authentication is `no-store`; what may be cached says so itself. */
function commonHeaders({ path }: OperationSpec, own: readonly HeaderName[]): HeaderName[] {
  const isUncached = path.startsWith('/api/v1/auth/') && !own.includes('Cache-Control');
  return isUncached ? ['x-request-id', 'Cache-Control'] : ['x-request-id'];
}

function content({ schema, example }: Sample) {
  return { 'application/json': { schema: schema === 'object' ? { type: 'object' } : schemaRef(schema), example } };
}
