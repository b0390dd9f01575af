/** Checks responses against the OpenAPI document: status, body and headers, nothing missing and nothing beyond. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { remapped } from '../../bin/local/http-payload.ts';
import type { ApiHandler } from '../../functions/http/chain.ts';
import type { Route } from '../../functions/shared/routes.ts';
import { type Answered, type EventParts, invoke } from './api-event.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Ref {
  readonly $ref: string;
}
type Schema = Readonly<Record<string, unknown>>;
interface DocumentedResponse {
  readonly headers: Readonly<Record<string, Ref>>;
  /** Absent where there is no body: 204 and 304. */
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}
interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: string;
}
interface Examples {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}
export interface Operation {
  readonly parameters?: readonly (Ref | Parameter)[];
  readonly requestBody?: { readonly content: { readonly 'application/json'?: Examples } };
  readonly responses: Readonly<Record<string, Ref | DocumentedResponse>>;
}

export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const FILE = join(import.meta.dirname, '../../docs/openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document;

/** Headers that HTTP itself and the gateway add to any response. */
const OF_THE_TRANSPORT = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'content-encoding',
  'x-amzn-requestid',
  'x-amzn-errortype',
]);

const isDateTime = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
const ajv = new Ajv2020({
  strict: false,
  // It would see the top of the document alone, where no schema is.
  validateSchema: false,
  allErrors: true,
  formats: { 'date-time': isDateTime, password: true, int64: Number.isSafeInteger, double: true },
});
ajv.addSchema(document, 'openapi');
ajv.addSchema(closed(document) as object, 'closed');
const compiled = new WeakMap<Schema, ValidateFunction>();
const ENVELOPE = { $ref: '#/components/schemas/ErrorEnvelope' };

/** The schemas are open, since a later version may add members and codes, but this version must not send undocumented ones. */
function closed(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(closed);
  const parts = Object.fromEntries(Object.entries(node).map(([name, part]) => [name, closed(part)]));
  if (parts['type'] === 'object' && 'properties' in parts) return { ...parts, additionalProperties: false };
  const known = parts['examples'];
  return parts['type'] !== undefined && Array.isArray(known) ? { ...parts, enum: [...known, null] } : parts;
}

export function operationOf({ name, method, path }: Route): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${name} is not in the OpenAPI document`);
  return operation;
}

export function requiredParameters(route: Route): Parameter[] {
  const { parameters = [] } = operationOf(route);
  return parameters.map((parameter) => resolved<Parameter>(parameter)).filter(({ required }) => required === true);
}

/** A body that the document shows for an operation; `undefined` where it takes none. */
export function exampleBody(route: Route): unknown {
  const { example, examples = {} } = operationOf(route).requestBody?.content['application/json'] ?? {};
  return example ?? Object.values(examples)[0]?.value;
}

/** The violations of a response. A path or method that is not documented must get the response that says so. */
export function undocumented(method: string, path: string, answer: SeenAnswer): string[] {
  const operation = operationAt(method.toLowerCase(), path);
  const isPage = path === '/' || path.startsWith('/page/');
  if (operation === undefined) return unknownRoute(method, answer, isPage || pathAt(path) !== undefined ? 405 : 404);
  const found = operation.responses[String(answer.status)];
  if (found === undefined) return [`the status ${answer.status} is not documented`];
  const response = resolved<DocumentedResponse>(found);
  return [...contentProblems(response, answer), ...headerProblems(response, answer.headers)];
}

export function mustBeDocumented(method: string, path: string, answer: SeenAnswer): void {
  const findings = undocumented(method, path, answer);
  if (findings.length > 0)
    throw new Error(`${method} ${path} answered otherwise than documented: ${findings.join('; ')}`);
}

export async function invokeAsDocumented(handler: ApiHandler, parts: EventParts): Promise<Answered> {
  const answer = await invoke(handler, parts);
  const { method = 'GET', rawPath = '/' } = parts;
  const sent = Object.entries(answer.headers as Record<string, string>);
  const headers = new Headers(sent.map(([header, value]) => [remapped(header), value]));
  mustBeDocumented(method, rawPath, { status: answer.status ?? 0, headers, body: answer.body as unknown });
  return answer;
}

function operationAt(method: string, path: string): Operation | undefined {
  return document.paths[pathAt(path) ?? '']?.[method];
}

function pathAt(path: string): string | undefined {
  const sent = (path.split('?')[0] ?? '').split('/');
  return Object.keys(document.paths).find((candidate) => {
    const segments = candidate.split('/');
    return segments.length === sent.length && segments.every((segment, at) => matches(segment, sent[at] ?? ''));
  });
}

const matches = (segment: string, sent: string): boolean => (segment.startsWith('{') ? sent !== '' : segment === sent);

function unknownRoute(method: string, { status, body }: SeenAnswer, expected: number): string[] {
  const problems = method === 'HEAD' ? [] : violations(ENVELOPE, body, 'body');
  return status === expected ? problems : [`an unknown route is answered ${status}`, ...problems];
}

function contentProblems({ content }: DocumentedResponse, answer: SeenAnswer): string[] {
  const { body } = answer;
  if (content === undefined) return body === undefined || body === '' ? [] : ['the response has a body'];
  return [...contentTypeProblem(answer), ...violations(content['application/json'].schema, body, 'body')];
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
  const { required = false, schema } = resolved<DocumentedHeader>(ref);
  if (value === null) return required ? [`the header ${name} is missing`] : [];
  return violations(schema, schema['type'] === 'integer' ? Number(value) : value, `header ${name}`);
}

export function schemaViolations(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`${name} is not in the OpenAPI document`);
  return validate(value) === true ? [] : [ajv.errorsText(validate.errors)];
}

function violations(schema: Schema, value: unknown, what: string): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(asSeenFromOutside(schema));
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${what}${error.instancePath}: ${error.message ?? error.keyword}`);
}

const asSeenFromOutside = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"closed#/')) as object;

function resolved<Target extends object>(thing: Ref | Target): Target {
  if (!('$ref' in thing)) return thing;
  const keys = thing.$ref.slice('#/'.length).split('/');
  return keys.reduce<unknown>((node, key) => (node as Readonly<Record<string, unknown>>)[key], document) as Target;
}
