import type { RequestErrorCode } from '../codes.ts';
import type { SchemaName } from './component-schemas.ts';
import type { HeaderName, ParameterName } from './parameters.ts';

/** One operation of the document, as data. What its access and its body imply (errors, headers, parameters) is added at render. */
export interface OperationSpec {
  readonly operationId: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly tag: 'Authentication' | 'Catalog and users' | 'Progress imports' | 'Service';
  readonly access: 'public' | 'session' | 'migration';
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ParameterName[];
  readonly request?: Sample;
  readonly success: readonly SuccessSpec[];
  readonly errors: readonly RequestErrorCode[];
}

/** A body: its schema, and one that validates. A schema of `object` is any JSON object. */
export interface Sample {
  readonly schema: SchemaName | 'object';
  readonly example: unknown;
}

export interface SuccessSpec extends Sample {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  readonly headers?: readonly HeaderName[];
}
