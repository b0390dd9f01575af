/** The limits of §8 and of this service. Sizes are bytes of UTF-8, lengths are code points, unless a name says otherwise. */

/** Limits of one request. */
export const MAX_RECORDS_PER_IMPORT = 500;
/** Addresses of one call of `resolve-users`, repeats included. */
export const MAX_EMAILS_PER_RESOLVE = 100;
export const MAX_MAPPINGS_PER_REQUEST = 500;
/** Mebibytes of a body: less than the 6 MB that Lambda carries, because the body is in base64 there. */
export const MAX_BODY_MIB = 4;
export const MAX_BODY_BYTES = MAX_BODY_MIB * 1024 * 1024;
/** Bytes of the bodies that need no token, and of a list of addresses. */
export const MAX_LOGIN_BODY_BYTES = 16 * 1024;
export const MAX_RESOLVE_BODY_BYTES = 64 * 1024;
/** Objects and arrays within each other in a body. A deeper one is refused before it is parsed. */
export const MAX_NESTING_LEVELS = 32;

/** Limits of one value. An external id is an `external_record_id`, `external_user_id` or `external_course_id`. */
export const MAX_RECORD_BYTES = 64 * 1024;
export const MAX_EXTERNAL_ID_LENGTH = 128;
export const MAX_EXTERNAL_REF_LENGTH = 1024;
/** The reason of evidence, in characters, and its statement, in bytes of JSON. */
export const MAX_REASON_LENGTH = 1000;
export const MAX_STATEMENT_BYTES = 16 * 1024;
export const MAX_RUN_ID_LENGTH = 128;
/** Of a run: its title and shape, in characters, its document, in bytes of JSON, and the people who are notified. */
export const MAX_TITLE_LENGTH = 200;
export const MAX_SHAPE_LENGTH = 64;
export const MAX_DOCUMENT_BYTES = 256 * 1024;
export const MAX_NOTIFIED = 10;
/** Dry runs of a plan of a run. */
export const MAX_IMPORTS_IN_PLAN = 20_000;
/** Characters of an e-mail address, as RFC 5321 limits the path of a mail. */
export const MAX_EMAIL_LENGTH = 254;
/** Characters of a password that a fact or a data file gives. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;
/** A longer password never verifies; it could only cost time. */
export const MAX_PASSWORD_BYTES = 1024;
/** Characters of a cursor. A longer one is refused before it is decoded. */
export const MAX_CURSOR_LENGTH = 4096;
/** Characters of a token. A longer one is refused before any signature is verified. */
export const MAX_TOKEN_LENGTH = 4096;

/** Items on a page of each list: the default without `limit`, and the maximum. */
export const PAGE_LIMITS = {
  courses: { max: 500, fallback: 100 },
  mappings: { max: 500, fallback: 500 },
  imports: { max: 100, fallback: 20 },
  runs: { max: 100, fallback: 20 },
  records: { max: 500, fallback: 500 },
  learnerCourses: { max: 100, fallback: 20 },
  evidence: { max: 100, fallback: 100 },
  archive: { max: 500, fallback: 100 },
} as const;
/** Archived records that a transcript shows (§4.12); the list of the archive has all. */
export const ARCHIVED_OF_LEARNER = 100;
/** A page of a list is cut short where its response would grow beyond this. */
export const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** For how many days a deployment may keep results of imports; without a setting they are kept for good. */
export const RETENTION_DAYS = { min: 30, max: 3650 } as const;
/** For how many years what imports archive is kept (§4.12). */
export const ARCHIVE_YEARS = { min: 1, max: 30, fallback: 10 } as const;
/** For how many days the report of a dry run is kept, and a staged payload, whose chunk is planned long before. */
export const DRY_RUN_DAYS = 30;
/** The same where a run is named: a plan of it can be applied for 30 days, and its application takes a few more. */
export const PLANNED_DAYS = 37;
export const STAGED_DAYS = 30;
/** Where results expire: for how many days a rejected record of which no user was found shows what was sent and why. */
export const DETAILS_DAYS = 90;
/** If a record has more problems, this many are named and the rest counted. */
export const MAX_PROBLEMS_PER_RECORD = 100;
/** With more problems in all (2 MB of them), an import resource names fewer of each record. */
export const MAX_PROBLEMS_PER_RESPONSE = 10_000;
/** Problems of each record that such a response names; the list of results has all of them. */
export const SHORTENED_PROBLEMS = 10;
/** The same limit for a page as a string inside the JSON that Lambda carries, in which each quote counts twice. */
export const MAX_ENCODED_RESPONSE_BYTES = 6_000_000;

/** Imports, dry runs and mapping requests; bytes of their records as JSON; bytes of responses. */
export const HOURLY_QUOTAS = { imports: 7_500, upload_bytes: 4e9, download_bytes: 20e9 } as const;
/** The report of an ordinary import of 500 records has fewer bytes, and counts as no download. */
export const COUNTED_REPORT_BYTES = 192 * 1024;

/** Failed logins that one window allows: of an account from one address, and of an address. */
export const LOGIN_THROTTLE = { windowMs: 5 * 60 * 1000, perAccount: 10, perAddress: 100 } as const;

/** Open sessions of a user. Beyond them, a login ends the oldest. */
export const MAX_SESSIONS_OF_USER = 20;

/** Longest invocation of any function that serves requests, chunks or facts. An erasure waits for this time. */
export const LONGEST_TIMEOUT_SECONDS = 60;
/** Longest invocation of the processor. A revert waits for this time. */
export const PROCESSOR_TIMEOUT_SECONDS = 20;

/** A dry run of the revert of more imports may take longer than 10 s, so it is worked off in steps. */
export const MAX_IMPORTS_PREVIEWED = 100;

/** A message that is delivered more often goes to the dead-letter queue. */
export const MAX_RECEIVES = 5;

/** A chunk is the work of one message: its plan fits one item, and chunks are processed in parallel. */
export const CHUNK_LIMITS = { records: 125, bytes: 192 * 1024 } as const;
