import { hash } from 'node:crypto';

/** Lower-case hex SHA-256. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Hash that names a payload or an event by its content: 128 bits, as lower-case hex. */
export function contentHash(text: string): string {
  return sha256(text).slice(0, 32);
}

/**
 * Hash by which two records of the same `external_record_id` are compared: 64 bits, as lower-case hex. Each record's plan and
 * contribution contain one, and no compression makes it smaller. It is compared only with the few of its own record. A client
 * that makes two contents of its own record collide gains nothing: the second one is `unchanged`.
 */
export function recordHash(text: string): string {
  return sha256(text).slice(0, 16);
}
