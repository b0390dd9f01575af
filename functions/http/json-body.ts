/** Reads the JSON body of a request (§4: all bodies are JSON). A malformed one is `RequestRejected` (§7.2). */
import { gunzipSync, inflateSync } from 'node:zlib';
import * as v from 'valibot';
import { checkAll, membersOf } from './request.ts';
import { RequestRejected, malformed, type ApiRequest, type SentBody } from './types.ts';
import { isObject, membersIn, membersNamed, repeatedMember } from '../records/json.ts';
import { broken, quoted } from '../records/text.ts';
import { MAX_BODY_BYTES, MAX_NESTING_LEVELS } from '../shared/limits.ts';

/** Throws 413, or 400 for no object, over 32 levels, a repeated member. Nothing large or deep is ever parsed. */
export function jsonBody(body: SentBody, maxBytes: number = MAX_BODY_BYTES): Readonly<Record<string, unknown>> {
  const text = withoutMark(bodyText(body, maxBytes));
  const named = membersNamed(text, MAX_NESTING_LEVELS);
  if (named === undefined) throw malformed(`The body must not nest deeper than ${MAX_NESTING_LEVELS} levels.`);
  const value = parse(text);
  if (!isObject(value)) throw malformed(`${broken('The body must be a JSON object', value)}.`);
  if (membersIn(value) !== named) throw repeated(text);
  return value;
}

/** The members of the JSON body, after all checks of body and query. @throws RequestRejected with every problem */
export function bodyOf<Schema extends Parameters<typeof membersOf>[0]>(
  schema: Schema,
  request: Pick<ApiRequest, 'body' | 'query' | 'parameters'>,
  maxBytes?: number,
): v.InferOutput<Schema> {
  const [members] = checkAll(request, () => membersOf(schema, jsonBody(request.body, maxBytes)));
  return members;
}

/** An operation without a body takes an empty one, or an object without members. @throws RequestRejected */
export function expectNoBody(request: Parameters<typeof bodyOf>[1]): void {
  if (request.body.text) bodyOf(v.strictObject({}), request);
  else checkAll(request);
}

/** The form of a token request (RFC 6749, section 4.4.2). */
export const formBody = (body: SentBody, maxBytes: number): URLSearchParams =>
  new URLSearchParams(bodyText(body, maxBytes, FORM));

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

function bodyText(
  { text, isBase64, contentType, contentEncoding }: SentBody,
  maxBytes: number,
  mediaType = JSON_TYPE,
): string {
  const sent = text ?? '';
  const received = isBase64 ? Buffer.from(sent, 'base64') : undefined;
  if ((received?.length ?? Buffer.byteLength(sent)) > maxBytes) throw tooLarge(maxBytes);
  const bytes = received && unpacked(received, maxBytes, contentEncoding);
  if (!isOfType(mediaType, contentType)) throw otherType(mediaType, contentType);
  return bytes === undefined ? sent.toWellFormed() : decodeUtf8(bytes);
}

const otherType = (mediaType: string, contentType = '') =>
  malformed(`The body must be sent as Content-Type: ${mediaType}, in UTF-8, not ${quoted(contentType)}.`);

const tooLarge = (maxBytes: number) =>
  new RequestRejected(
    'payload_too_large',
    `The body must not exceed ${maxBytes < MIB ? `${maxBytes / 1024} KiB` : `${maxBytes / MIB} MiB`}.`,
  );
const MIB = 1024 * 1024;

/** Compressed content by its first bytes, with which no JSON begins. */
const ENCODINGS: Readonly<
  Record<string, { readonly starts: (bytes: Buffer) => boolean; readonly unpack: typeof gunzipSync }>
> = {
  gzip: { starts: ([first, second]) => first === 0x1f && second === 0x8b, unpack: gunzipSync },
  deflate: { starts: ([first]) => first === 0x78, unpack: inflateSync },
};

/** API Gateway unpacks what it knows and may leave the header: only what is packed is unpacked, up to the limit. */
function unpacked(bytes: Buffer, maxBytes: number, contentEncoding = ''): Buffer {
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  const [name, ...others] = names.filter((each) => each !== '' && each !== 'identity');
  if (name === undefined) return bytes;
  const encoding = Object.hasOwn(ENCODINGS, name) ? ENCODINGS[name] : undefined;
  if (encoding === undefined || others.length > 0)
    throw malformed(`Content-Encoding must be gzip or deflate, or absent, not ${quoted(contentEncoding)}.`);
  if (!encoding.starts(bytes)) return bytes;
  try {
    return encoding.unpack(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw malformed(`The body must be well-formed ${name}.`);
  }
}

/** Editors and spreadsheets put a byte-order mark before a file in UTF-8 (RFC 8259, section 8.1). */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Parsers differ in which of two members with one name they keep, so a body with two is refused. */
function repeated(text: string): RequestRejected {
  const path = repeatedMember(text) ?? '';
  return malformed(`An object must name a member once. Named twice: ${path}.`, path);
}

/** The type, with or without parameters; a charset, if given, is UTF-8 (RFC 8259, section 8.1) or its subset ASCII. */
function isOfType(wanted: string, contentType = ''): boolean {
  const [mediaType = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return mediaType === wanted && charsets.every((charset) => /^charset="?(?:utf-?8|us-ascii)"?$/.test(charset));
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('The body must be well-formed UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`The body must be well-formed JSON, and ${faultOf(text, String(error))}.`);
  }
}

/** Quotes nothing of the message, which quotes the body: that may have a password. */
function faultOf(text: string, message: string): string {
  if (text.trim() === '') return 'it is empty';
  if (message.startsWith('SyntaxError: Unexpected token'))
    return 'one of its values is missing, or no object, array, string in double quotes, number, true, false or null';
  const at = Number(/position (\d+)/.exec(message)?.[1]);
  return at < text.length ? `it is not from character ${at + 1} on` : 'it ends too early';
}
