import type { RequestErrorCode } from '../../functions/shared/codes.ts';
import type { SchemaName } from './component-schemas.ts';
import type { ParameterName } from './parameters.ts';
import type { HeaderName } from './response-headers.ts';

/** One operation of the document, as data. What its access and its body imply (errors, headers, parameters) is added at render. */
export interface OperationSpec {
  readonly operationId: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly tag: 'Authentication' | 'Catalog and users' | 'Progress imports' | 'Service';
  readonly access: 'public' | 'session' | 'migration';
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly ParameterName[];
  readonly request?: Sample;
  readonly success: readonly SuccessSpec[];
  readonly errors: readonly RequestErrorCode[];
}

/** A body: its schema, and one or several that validate. A schema of `object` is any JSON object. */
export type Sample = { readonly schema: SchemaName | 'object' } & (
  | { readonly example: unknown }
  | { readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>> }
);

export type SuccessSpec = Sample & {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** Operations that go on from the answer. */
  readonly links?: Readonly<Record<string, Link>>;
};

export interface Link {
  readonly operationId: string;
  readonly description: string;
  /** Parameters of that operation as runtime expressions. */
  readonly parameters: Readonly<Record<string, string>>;
}
