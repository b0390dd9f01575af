import type { Instant } from '../domain/model.ts';

const EXTENDED = /^([+-]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{3}Z)$/;
const BASIC = /^([+-]?\d+)(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d{3}Z)$/;

/**
 * An instant in the basic format of ISO 8601, without milliseconds that are zero: `2024-01-02T03:04:05.000Z` is stored as
 * `20240102T030405Z`. A hundred class views save a whole write unit by it.
 */
export function packInstant(instant: Instant): string {
  return instant.replace(EXTENDED, '$1$2$3T$4$5$6$7').replace(/\.000Z$/, 'Z');
}

export function unpackInstant(packed: string): Instant {
  return packed.replace(/(T\d{6})Z$/, '$1.000Z').replace(BASIC, '$1-$2-$3T$4:$5:$6$7');
}
