/** The page of the API reference, from the OpenAPI document. */

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export function referencePage(json: string): string {
  const document = JSON.parse(json) as Document;
  const sections = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : operationSection(document, `${method.toUpperCase()} ${path}`, operation);
    }),
  );
  return [
    '# API reference',
    'Every operation of the [OpenAPI document](/openapi.json), which every deployment also serves at `GET /v1/openapi.json`.',
    ...sections,
    '## Schemas',
    ...Object.entries(document.components['schemas'] ?? {}).flatMap(([name, schema]) => [`### ${name}`, code(schema)]),
    '',
  ].join('\n\n');
}

function operationSection(document: Document, title: string, operation: Operation): string[] {
  const { summary = title, description, parameters = [], requestBody, responses } = operation;
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  return [
    `## ${inline(summary)}`,
    `\`${title}\``,
    ...(description === undefined ? [] : [inline(description)]),
    ...(parameters.length === 0 ? [] : [parameterTable(parameters.map((each) => resolved(document, each)))]),
    ...(schema === undefined ? [] : ['The body:', code(schema)]),
    table(
      ['status', 'meaning'],
      Object.entries(responses).map(([status, each]) => [status, resolved(document, each).description ?? '']),
    ),
  ];
}

const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['parameter', 'in', 'required', 'meaning'],
    parameters.map((each) => [
      `\`${each.name ?? ''}\``,
      each.in ?? '',
      each.required ? 'yes' : 'no',
      each.description ?? '',
    ]),
  );

function resolved<Value extends { readonly $ref?: string }>(document: Document, value: Value): Value {
  const [, , kind = '', name = ''] = value.$ref?.split('/') ?? [];
  return value.$ref === undefined ? value : (document.components[kind]?.[name] as Value);
}

const code = (schema: unknown): string => `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const cell = (text: string): string => inline(text).replaceAll('\n', ' ').replaceAll('|', '\\|');

/** Outside code, the generator reads angle brackets as elements and double braces as expressions. */
const inline = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{', '&#123;')))
    .join('');
