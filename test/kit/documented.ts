/** Holds answers to the published OpenAPI document: status, body and headers, nothing missing and nothing beyond. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiHandler } from '../../functions/http/handler.ts';
import type { openApiDocument } from '../../lib/openapi/document.ts';
import { type Answered, type EventParts, invoke } from './api-event.ts';

type Document = ReturnType<typeof openApiDocument>;
interface Ref {
  readonly $ref: string;
}
interface DocumentedResponse {
  readonly headers: Readonly<Record<string, Ref>>;
  readonly content: { readonly 'application/json': { readonly schema: Readonly<Record<string, unknown>> } };
}
interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const FILE = join(import.meta.dirname, '../../docs/openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document;

/** What HTTP itself and the gateway add to any answer. */
const OF_THE_TRANSPORT = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'apigw-requestid',
]);

const isDateTime = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': isDateTime, password: true } });
ajv.addSchema(document, 'openapi');
const compiled = new Map<string, ValidateFunction>();

/**
 * What is wrong with an answer, or nothing. A path or method that the document does not have must be answered
 * `route_not_found`; the gateway's own refusal of a body is no answer of the service.
 */
export function undocumented(method: string, path: string, answer: SeenAnswer): string[] {
  const operation = operationAt(method.toLowerCase(), path);
  if (operation === undefined) return unknownRoute(answer);
  if (isOfTheGateway(answer)) return [];
  const found = operation.responses[String(answer.status)];
  if (found === undefined) return [`the status ${answer.status} is not documented`];
  const response = '$ref' in found ? resolve<DocumentedResponse>(found) : found;
  return [
    ...contentTypeProblem(answer),
    ...violations(response.content['application/json'].schema, answer.body, 'body'),
    ...headerProblems(response, answer.headers),
  ];
}

/** Throws, with what is wrong, where an answer is not as documented. */
export function mustBeDocumented(method: string, path: string, answer: SeenAnswer): void {
  const findings = undocumented(method, path, answer);
  if (findings.length > 0)
    throw new Error(`${method} ${path} answered otherwise than documented: ${findings.join('; ')}`);
}

/** Invokes the handler of a real operation; its answer must be as documented. */
export async function invokeAsDocumented(handler: ApiHandler, parts: EventParts): Promise<Answered> {
  const answer = await invoke(handler, parts);
  const { method = 'GET', rawPath = '/' } = parts;
  const headers = new Headers(answer.headers as Record<string, string>);
  mustBeDocumented(method, rawPath, { status: answer.status ?? 0, headers, body: answer.body as unknown });
  return answer;
}

interface Operation {
  readonly responses: Readonly<Record<string, Ref | DocumentedResponse>>;
}

function operationAt(method: string, path: string): Operation | undefined {
  const sent = (path.split('?')[0] ?? '').split('/');
  const template = Object.keys(document.paths).find((candidate) => {
    const segments = candidate.split('/');
    return segments.length === sent.length && segments.every((segment, at) => matches(segment, sent[at] ?? ''));
  });
  const item = document.paths[template ?? ''] as Readonly<Record<string, Operation>> | undefined;
  return item?.[method];
}

const matches = (segment: string, sent: string): boolean => (segment.startsWith('{') ? sent !== '' : segment === sent);

function unknownRoute({ status, body }: SeenAnswer): string[] {
  const problems = violations({ $ref: '#/components/schemas/ErrorEnvelope' }, body, 'body');
  return status === 404 ? problems : [`an unknown route is answered ${status}`, ...problems];
}

/** `{ "message": "…" }` and nothing else, as the document's introduction says. */
function isOfTheGateway({ status, body }: SeenAnswer): boolean {
  return status === 413 && typeof body === 'object' && body !== null && Object.keys(body).join() === 'message';
}

function contentTypeProblem({ headers }: SeenAnswer): string[] {
  const type = headers.get('content-type') ?? '';
  return type.startsWith('application/json') ? [] : [`the content type is ${type}`];
}

function headerProblems({ headers: documented }: DocumentedResponse, sent: Headers): string[] {
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
  const beyond = [...sent.keys()].filter((name) => !names.has(name) && !OF_THE_TRANSPORT.has(name));
  return [
    ...beyond.map((name) => `the header ${name} is not documented`),
    ...Object.entries(documented).flatMap(([name, ref]) => headerProblem(name, ref, sent.get(name))),
  ];
}

function headerProblem(name: string, ref: Ref, value: string | null): string[] {
  const { required = false, schema } = resolve<DocumentedHeader>(ref);
  if (value === null) return required ? [`the header ${name} is missing`] : [];
  return violations(schema, schema['type'] === 'integer' ? Number(value) : value, `header ${name}`);
}

function violations(schema: Readonly<Record<string, unknown>>, value: unknown, what: string): string[] {
  const key = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
  const validate = compiled.get(key) ?? ajv.compile(JSON.parse(key) as object);
  compiled.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${what}${error.instancePath}: ${error.message ?? error.keyword}`);
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the document is typed by who reads it
function resolve<Target>({ $ref }: Ref): Target {
  const keys = $ref.slice('#/'.length).split('/');
  return keys.reduce<unknown>((node, key) => (node as Readonly<Record<string, unknown>>)[key], document) as Target;
}
