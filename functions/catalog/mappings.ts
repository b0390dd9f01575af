/** The entries of mapping requests (§2.5, §2.6). The identifiers are those of a record, but here both are required. */
import * as v from 'valibot';
import { contentBlock, userBlock } from '../records/schema.ts';

export const emailAddress = userBlock.entries.email.wrapped;

export const userMappingEntry = v.object({
  external_user_id: userBlock.entries.external_user_id.wrapped,
  email: emailAddress,
});

export const courseMappingEntry = v.object({
  external_course_id: contentBlock.entries.external_course_id.wrapped,
  platform_course_id: contentBlock.entries.platform_course_id.wrapped,
});
