import { AUTH_OPERATIONS } from './auth-operations.ts';
import { componentSchemas } from './component-schemas.ts';
import { errorComponents, errorGroups } from './error-responses.ts';
import { IMPORT_OPERATIONS } from './import-operations.ts';
import type { OperationSpec } from './operation-spec.ts';
import { PARAMETERS } from './parameters.ts';
import { REFERENCE_OPERATIONS } from './reference-operations.ts';
import { renderOperation } from './render-operation.ts';
import { HEADERS } from './response-headers.ts';

export const OPERATIONS: readonly OperationSpec[] = [...AUTH_OPERATIONS, ...REFERENCE_OPERATIONS, ...IMPORT_OPERATIONS];

const DESCRIPTION = `Imports the course history of a company's users from a previous learning system.

1. \`GET …/catalog/courses\`: map your courses to \`platform_course_id\`.
2. \`POST …/users/resolve\`: verify that every user exists with an active license.
3. Optional: \`POST …/users/mappings\` and \`POST …/catalog/mappings\` register the ids of the previous system.
4. \`POST …/progress/imports\` with \`dry_run: true\`; fix the errors.
5. The same with \`dry_run: false\`.
6. \`GET …/progress/imports/{import_id}\` until the status is terminal.
7. \`GET …/progress/imports/{import_id}/records?status=error\`: review what was rejected.

Bodies are JSON of at most 4 MiB and 32 levels. An unknown path or method is 404 \`route_not_found\`. Errors that the gateway itself
gives (its own throttle, a body over 10 MB) come in its form, \`{ "message": "…" }\`. Everything about credentials, errors
included, is \`Cache-Control: no-store\`.`;

const TAGS = [
  { name: 'Authentication', description: 'Tokens, and the user they are of.' },
  { name: 'Catalog and users', description: 'What records refer to.' },
  { name: 'Progress imports', description: 'Importing, and reviewing what was imported.' },
  { name: 'Service', description: 'The service itself.' },
];

const ACCESS_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'The `access_token` of a login. Migration operations want that of an `admin` of the company in the path.',
};

/** The OpenAPI 3.1 document of every operation. `version` is that of the service. */
export function openApiDocument(version: string) {
  return {
    openapi: '3.1.1',
    info: { title: 'Course progress migration', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      responses: errorComponents(OPERATIONS.flatMap(errorGroups)),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: { accessToken: ACCESS_TOKEN },
    },
  };
}

function paths() {
  const byPath = Map.groupBy(OPERATIONS, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(operations.map((spec) => [spec.method, renderOperation(spec)])),
    ]),
  );
}
