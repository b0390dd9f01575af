import { hash } from 'node:crypto';

/** Of the UTF-8 of a text, as 64 digits of lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Hash that names a payload or an event by its content: 128 bits, as lower-case hex. */
export function contentHash(text: string): string {
  return sha256(text).slice(0, 32);
}

/** 64 bits as hex, to compare contents of one `external_record_id`. A client gains nothing by a collision. */
export function recordHash(text: string): string {
  return sha256(text).slice(0, 16);
}
