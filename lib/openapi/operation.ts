import type { RequestErrorCode } from '../../functions/shared/codes.ts';
import type { Route, RouteName } from '../../functions/shared/routes.ts';
import type { SchemaName } from './component-schemas.ts';
import type { ParameterName } from './parameters.ts';
import type { HeaderName } from './response-headers.ts';

/** The specification of a route in the document. The errors, headers and parameters that its access, path and body imply are added at render. */
export interface OperationSpec {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly ParameterName[];
  readonly request?: Sample;
  readonly success: readonly SuccessSpec[];
  /** Whether the 200 has an `ETag`, so that a client may ask with `If-None-Match`: always, or once the import is terminal. */
  readonly revalidates?: 'always' | 'terminal';
  /** Whether it counts towards the quotas of the hour, so that its success says what is left of them. */
  readonly isCounted?: true;
  readonly errors?: readonly RequestErrorCode[];
  /** Errors of the client in a body of their own, in the place of the envelope. */
  readonly problems?: Readonly<Record<number, string>>;
}

/** A route with all that the document says of it. */
export type Operation = Route & OperationSpec;

type BodySchemaName = SchemaName | 'object';

/** Examples of a body, with its schema. */
export type Sample = { readonly schema: BodySchemaName; readonly isForm?: true } & (
  | { readonly example: unknown }
  | { readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>> }
);

/** A 204 has no body, each other success has one; its example is in `examples.json`. */
export type SuccessSpec = (
  | { readonly status: 200 | 201 | 202; readonly schema: BodySchemaName }
  | { readonly status: 204 }
) & {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  readonly links?: Readonly<Record<string, Link>>;
};

/** The next operation that a client may call with a value of this response. */
export interface Link {
  readonly operationId: RouteName;
  readonly description: string;
  /** Parameters of that operation as runtime expressions. */
  readonly parameters: Readonly<Record<string, string>>;
}

const success =
  (status: 200 | 201 | 202) =>
  <Schema extends BodySchemaName>(description: string, schema: Schema, ...headers: HeaderName[]) => ({
    status,
    description,
    schema,
    headers,
  });
export const ok = success(200);
export const created = success(201);
export const accepted = success(202);
