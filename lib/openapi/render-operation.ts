import { schemaRef } from './component-schemas.ts';
import { errorGroups, errorResponseRef } from './error-responses.ts';
import type { OperationSpec, Sample, SuccessSpec } from './operation-spec.ts';
import { parameterRef } from './parameters.ts';
import { headerRefs, securityHeaders } from './response-headers.ts';

/** The Operation Object of an operation. */
export function renderOperation(spec: OperationSpec) {
  const parameters = [...(spec.access === 'migration' ? (['CompanyId'] as const) : []), ...(spec.parameters ?? [])];
  return {
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    description: spec.description,
    security: spec.access === 'public' ? [] : [{ accessToken: [] }],
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterRef) }),
    ...(spec.request === undefined ? {} : { requestBody: { required: true, content: content(spec.request) } }),
    responses: {
      ...Object.fromEntries(spec.success.map((success) => [success.status, renderSuccess(spec, success)])),
      ...Object.fromEntries(errorGroups(spec).map((group) => [group.status, errorResponseRef(group)])),
    },
  };
}

function renderSuccess({ path }: OperationSpec, { description, headers = [], links, ...sample }: SuccessSpec) {
  // What may be cached says so itself.
  const uncached = path.startsWith('/api/v1/auth/') && !headers.includes('Cache-Control.public');
  return {
    description,
    headers: headerRefs([...securityHeaders(uncached), ...headers]),
    content: content(sample),
    ...(links === undefined ? {} : { links }),
  };
}

function content(sample: Sample) {
  const schema = sample.schema === 'object' ? { type: 'object' } : schemaRef(sample.schema);
  const shown = 'example' in sample ? { example: sample.example } : { examples: sample.examples };
  return { 'application/json': { schema, ...shown } };
}
