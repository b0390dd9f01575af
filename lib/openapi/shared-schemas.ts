/** Schemas that many requests and answers share. Answers are described as strictly as they are given: no member beyond these. */
import * as v from 'valibot';
import { RECORD_ERRORS, WARNINGS, codesOf, listed } from './record-codes.ts';
import { REQUEST_ERRORS } from './request-errors.ts';

/** A UTC instant with milliseconds, as every answer gives dates. */
export const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  v.metadata({ description: 'UTC, with milliseconds.', format: 'date-time' }),
);
export const platformId = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const percentage = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
export const nextCursor = v.pipe(
  v.nullable(v.string()),
  v.description('Send it as `cursor` to get the next page; null on the last one. Opaque.'),
);
const message = v.pipe(
  v.string(),
  v.description('For people: names the field and the rule. Decide by the code, not by this.'),
);
const field = v.pipe(v.string(), v.description('Dotted path of the member concerned; absent where there is none.'));

export const requestError = v.strictObject({
  error_code: v.pipe(v.picklist(codesOf(REQUEST_ERRORS)), v.description(listed(requestErrorMeanings()))),
  message,
  field: v.optional(field),
});

const requestId = v.pipe(v.string(), v.description('The same as the header `x-request-id`.'));

export const errorEnvelope = v.pipe(
  v.strictObject({ errors: v.pipe(v.array(requestError), v.minLength(1)), request_id: requestId }),
  v.description('The one form of every request-level error, authentication included (§7.1, §7.2).'),
);

export const recordError = v.pipe(
  v.strictObject({
    error_code: v.pipe(v.picklist(codesOf(RECORD_ERRORS)), v.description(listed(RECORD_ERRORS))),
    message,
    field: v.optional(field),
  }),
  v.description('Why one record or entry was rejected (§7.3).'),
);

export const recordWarning = v.pipe(
  v.strictObject({
    warning_code: v.pipe(v.picklist(codesOf(WARNINGS)), v.description(listed(WARNINGS))),
    message,
    field: v.optional(field),
  }),
  v.description('What was noticed about a record that is applied all the same (§7.4); one for each code.'),
);

function requestErrorMeanings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(REQUEST_ERRORS).map(([code, { status, when }]) => [code, `${status}, ${when}`]),
  );
}
