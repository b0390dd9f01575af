/** The OpenAPI document as a judge of answers, and as the source of one valid request for every route. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import document from '../../../docs/openapi.json' with { type: 'json' };
import type { Route } from '../../../lib/routes.ts';
import type { Answered } from './target.ts';

interface MediaTypes {
  readonly 'application/json'?: {
    readonly schema?: object;
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
  };
}
interface Response {
  readonly $ref?: string;
  readonly content?: MediaTypes;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: string;
}
export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, Response>>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
ajv.addSchema(document, 'openapi');
const compiled = new Map<string, ValidateFunction>();

export function operationOf(route: Route): Operation {
  const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
  const operation = paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${route.name} is not in the OpenAPI document`);
  return operation;
}

/** A body that the document shows for an operation; `undefined` where it takes none. */
export function exampleBody(route: Route): unknown {
  const { example, examples = {} } = operationOf(route).requestBody?.content['application/json'] ?? {};
  return example ?? Object.values(examples)[0]?.value;
}

/** What is wrong with an answer by the document; `undefined` if nothing is. */
export function violation(route: Route, { status, text }: Answered): string | undefined {
  const response = operationOf(route).responses[status];
  if (response === undefined) return `status ${status} is not documented`;
  const validate = validatorOf(route, status, response);
  return validate(JSON.parse(text)) ? undefined : ajv.errorsText(validate.errors);
}

function validatorOf(route: Route, status: number, response: Response): ValidateFunction {
  const name = `${route.name} ${status}`;
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const validate = ajv.compile(absolute(resolved(response).content?.['application/json']?.schema ?? {}) as object);
  compiled.set(name, validate);
  return validate;
}

/** A component that is named, or the thing itself. */
export function resolved<T extends { readonly $ref?: string }>(thing: T): T {
  if (thing.$ref === undefined) return thing;
  const steps = thing.$ref.slice(2).split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
}

/** References of the document, as they read from outside it. */
function absolute(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/'));
}
