import type { Scope } from '../../functions/shared/codes.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import { componentSchemas, schemaRef } from './component-schemas.ts';
import { errorComponents, errorGroups, errorResponseRef } from './error-responses.ts';
import { webhooks } from './events.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import type { Operation, Sample, SuccessSpec } from './operation.ts';
import { OPERATIONS, TAGS } from './operations.ts';
import { parameterComponents, parameterRef } from './parameters.ts';
import { COMMON_HEADERS, headerComponents, type HeaderName, headerRefs, QUOTA_HEADERS } from './response-headers.ts';

/** Responses of the service, by operation and status: recorded by `test/docs/examples.test.ts`. */
const RECORDED: Readonly<Record<string, unknown>> = EXAMPLES;

export const exampleOf = (name: RouteName, status: number): unknown => RECORDED[`${name} ${status}`];

const DESCRIPTION = `Imports the course history of a company's users from a previous learning system.

1. \`GET …/catalog/courses\`: map your courses to \`platform_course_id\`.
2. \`POST …/users/resolve\`: verify that every user exists with an active license.
3. Optional: \`POST …/users/mappings\` and \`POST …/catalog/mappings\` register the ids of the previous system.
4. \`POST …/progress/imports\` with \`dry_run: true\`; fix the errors.
5. The same with \`dry_run: false\`.
6. \`GET …/progress/imports/{import_id}\` until the status is terminal.
7. \`GET …/progress/imports/{import_id}/records?status=error\`: review what was rejected.

Bodies are JSON of at most 4 MiB and 32 levels. Every error has the same envelope. Any operation may
return 429 \`too_many_requests\` and 503 \`temporarily_unavailable\` with \`Retry-After\`; an unknown path is 404
\`route_not_found\`, another method 405. A query parameter or a member of a body that the operation does not define is 400. Every response but the JWK set and this document is sent with \`Cache-Control: no-store\`.`;

const ACCESS_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'The `access_token` of a login, issued and verified as RFC8725 asks. Migration operations require that of an `admin` of the company in the path.',
};

const SCOPES: Readonly<Record<Scope, string>> = {
  read: 'Every `GET`, and `users/resolve`.',
  'dry-run': 'Dry runs, drafts, plans.',
  import: 'Mappings, real imports, the application of a plan, cancels.',
  revert: 'Reverts.',
  evidence: 'Signing evidence.',
};

const CLIENT_TOKEN = {
  type: 'oauth2',
  description:
    'The token of a machine, which `get-token` gives, issued and verified as RFC8725 asks. No scope implies another.',
  flows: { clientCredentials: { tokenUrl: '/api/v1/auth/token', scopes: SCOPES } },
};

/** The OpenAPI 3.1 document of every operation. `version` is the version of the service. */
export function openApiDocument(version: string) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Course progress migration',
      version,
      description: DESCRIPTION,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      schemas: componentSchemas(),
      responses: errorComponents(OPERATIONS.flatMap(errorGroups)),
      parameters: parameterComponents(),
      headers: headerComponents(),
      securitySchemes: { accessToken: ACCESS_TOKEN, clientToken: CLIENT_TOKEN },
    },
  };
}

function paths() {
  const byPath = Map.groupBy(OPERATIONS, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(operations.map((operation) => [operation.method.toLowerCase(), renderOperation(operation)])),
    ]),
  );
}

function renderOperation(operation: Operation) {
  const conditional = operation.revalidates === undefined ? [] : (['IfNoneMatch'] as const);
  const parameters = [...(operation.parameters ?? []), ...conditional];
  return {
    operationId: operation.name,
    tags: TAGS.flatMap(({ name, has }) => (operation.name in has ? [name] : [])),
    summary: operation.summary,
    description: operation.description,
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterRef) }),
    ...(operation.request === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(operation.request) } }),
    responses: {
      ...Object.fromEntries(operation.success.map((success) => [success.status, renderSuccess(success, operation)])),
      ...notModified(operation),
      ...problemsOf(operation),
      ...Object.fromEntries(errorGroups(operation).map((group) => [group.status, errorResponseRef(group)])),
    },
  };
}

/** A person's token, or that of a client with one of these scopes. */
function securityOf({ access, scope = 'person' }: Operation) {
  if (access === 'public') return [];
  const scopes = scope === 'person' ? [] : scope.split(' or ');
  return [{ accessToken: [] }, ...scopes.map((each) => ({ clientToken: [each] }))];
}

function problemsOf({ problems = {} }: Operation) {
  const rendered = Object.entries(problems).map(([status, description]) => {
    const content = { 'application/json': { schema: schemaRef('OAuthError') } };
    return [status, { description, headers: headerRefs(COMMON_HEADERS), content }] as const;
  });
  return Object.fromEntries(rendered);
}

/** A 304 counts as nothing. */
const quotasOf = ({ isCounted }: Operation): HeaderName[] => (isCounted ? [...QUOTA_HEADERS] : []);

const tagOf = ({ revalidates }: Operation) => (revalidates === undefined ? [] : ([`ETag.${revalidates}`] as const));

/** The response to a client that has the current copy: the headers of the 200 that an ended import or anything else has. */
function notModified({ revalidates, success: [success] }: Operation) {
  if (revalidates === undefined) return {};
  const own = (success?.headers ?? []).filter((name) => name.startsWith('Cache-Control'));
  const headers = headerRefs([...COMMON_HEADERS, ...own, 'ETag.always']);
  return { 304: { description: 'The copy that `If-None-Match` names is current. Without a body.', headers } };
}

function renderSuccess(success: SuccessSpec, operation: Operation) {
  const { status, description, headers = [], links } = success;
  return {
    description,
    headers: headerRefs([...COMMON_HEADERS, ...headers, ...quotasOf(operation), ...tagOf(operation)]),
    ...('schema' in success && {
      content: contentOf({ schema: success.schema, example: exampleOf(operation.name, status) }),
    }),
    ...(links === undefined ? {} : { links }),
  };
}

const contentOf = ({ schema, isForm, ...shown }: Sample) => ({
  [isForm ? 'application/x-www-form-urlencoded' : 'application/json']: {
    schema: schema === 'object' ? { type: 'object' } : schemaRef(schema),
    ...shown,
  },
});
