/**
 * The request body as a JSON object (§4: all bodies are JSON). Judged cheapest first, so that nothing large or deep is
 * ever parsed: size, content type, encoding, nesting, syntax, shape.
 */
import { isObject } from '../domain/json-object.ts';
import { MAX_BODY_BYTES, MAX_NESTING_LEVELS } from '../domain/limits.ts';
import { RequestRejected } from './http.ts';
import { nestsDeeperThan } from './nesting.ts';

export interface RawBody {
  readonly text: string | undefined;
  readonly isBase64: boolean;
  readonly contentType: string | undefined;
}

/** Throws `payload_too_large` over 4 MiB, `invalid_request` for anything that is not a JSON object of at most 32 levels. */
export function jsonBody(body: RawBody): Readonly<Record<string, unknown>> {
  const bytes = Buffer.from(body.text ?? '', body.isBase64 ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY_BYTES) {
    throw new RequestRejected('payload_too_large', 'the body must not exceed 4 MiB (4,194,304 bytes)');
  }
  if (!isJson(body.contentType)) throw malformed('the body must be sent as Content-Type: application/json, in UTF-8');
  const text = decodeUtf8(bytes);
  if (nestsDeeperThan(MAX_NESTING_LEVELS, text))
    throw malformed(`the body must not nest deeper than ${MAX_NESTING_LEVELS} levels`);
  const value = parse(text);
  if (!isObject(value)) throw malformed('the body must be a JSON object');
  return value;
}

const malformed = (message: string) => new RequestRejected('invalid_request', message);

/** `application/json`, with or without parameters; a charset, if given, is UTF-8 (RFC 8259, section 8.1). */
function isJson(contentType = ''): boolean {
  const [mediaType = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return mediaType === 'application/json' && charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset));
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('the body must be well-formed UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('the body must be well-formed JSON');
  }
}
