/** The bodies that decide something about a run (§4.11). Apart, because no other operation has them in its bundle. */
import * as v from 'valibot';
import { isIdentifierText } from '../records/text.ts';
import { RUN_LANGUAGES } from '../shared/codes.ts';
import {
  MAX_DOCUMENT_BYTES,
  MAX_IMPORTS_IN_PLAN,
  MAX_NOTIFIED,
  MAX_REASON_LENGTH,
  MAX_SHAPE_LENGTH,
  MAX_TITLE_LENGTH,
} from '../shared/limits.ts';
import { batchOf, boundedObject, plainText } from './bodies.ts';

const USER_ID = 'must be the id of a user';
const userId = v.pipe(v.number(USER_ID), v.safeInteger(USER_ID), v.minValue(0, USER_ID));

const TITLE = `must be a string of 1 to ${MAX_TITLE_LENGTH} characters`;
const SHAPE = `must be a string of 1 to ${MAX_SHAPE_LENGTH} characters`;
const NOTIFY = `must have at most ${MAX_NOTIFIED} items`;

/** What is decided about a run (§4.11): a member that is left out stays, and `null` clears it. */
export const runRequest = v.strictObject({
  title: v.exactOptional(v.nullable(plainText(TITLE, MAX_TITLE_LENGTH))),
  shape: v.exactOptional(
    v.nullable(
      v.pipe(
        v.string(SHAPE),
        v.check((id) => isIdentifierText(id, MAX_SHAPE_LENGTH), SHAPE),
        v.metadata({ minLength: 1, maxLength: MAX_SHAPE_LENGTH }),
        v.description('By which the client knows a file of the same form again.'),
      ),
    ),
  ),
  notify: v.exactOptional(
    v.nullable(
      v.pipe(
        v.array(userId, 'must be an array of user ids'),
        v.check((ids) => ids.length <= MAX_NOTIFIED, NOTIFY),
        v.metadata({ maxItems: MAX_NOTIFIED }),
        v.description('User ids of admins of the company, who get its notices by mail.'),
      ),
    ),
  ),
  language: v.exactOptional(v.nullable(v.picklist(RUN_LANGUAGES, `must be one of: ${RUN_LANGUAGES.join(', ')}`))),
  document: v.exactOptional(
    v.nullable(
      boundedObject(
        MAX_DOCUMENT_BYTES,
        'What the client notes of the run: its mapping, confirmed kinds, corrections, names and hashes of its files. Never a row of them.',
      ),
    ),
  ),
});

/** The dry runs of a plan, in the order in which they are applied (§4.11). */
export const planRequest = v.strictObject({
  import_ids: v.pipe(
    batchOf(v.string('must be the id of an import'), MAX_IMPORTS_IN_PLAN),
    v.description('Dry runs of this run, in the order in which they are applied.'),
  ),
});

/** The plan that was seen, by its digest (§4.11). */
export const applyRequest = v.strictObject({
  plan_digest: v.pipe(v.string('must be a string'), v.description('Of the plan that was seen.')),
});

const COMMENT = `must be a string of 1 to ${MAX_REASON_LENGTH} characters`;

/** The plan that was seen, and what is said about it (§4.11). */
export const approveRequest = v.strictObject({
  plan_digest: v.pipe(v.string('must be a string'), v.description('Of the plan that was seen.')),
  comment: v.exactOptional(v.nullable(plainText(COMMENT, MAX_REASON_LENGTH))),
});
