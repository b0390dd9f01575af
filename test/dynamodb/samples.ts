import type { Session } from '../../functions/auth/access-store.ts';
import { contributionOf } from '../../functions/records/contribution.ts';
import { parseRecord } from '../../functions/records/parse.ts';
import { NO_COUNTS } from '../../functions/reverts/report.ts';
import type { Revert } from '../../functions/reverts/store.ts';
import type { Contribution, ImportItem, Plan, RecordWrite, User } from '../../functions/shared/model.ts';
import { Dice } from '../kit/dice.ts';

let made = 0;

export function freshCompany(): string {
  made += 1;
  return `company-${process.pid}-${made}`;
}

export const AT = '2026-01-02T03:04:05.678Z';
export const LATER = '2026-01-02T04:00:00.000Z';
export const IMPORT_ID = 'abcdefghijklmnopqrstuvwxyz';
export const HASH = '0123456789abcdef'.repeat(4);

/** Ids that have broken keys elsewhere: delimiters, NUL, combining and astral characters, a prefix of each other. */
export const ODD_IDS = [
  'a',
  'a#b',
  'a#',
  '#',
  'a\u0000',
  'a\u0000b',
  ' ',
  '日本',
  'é',
  'e\u0301',
  '😀',
  '\uffee',
  '__proto__',
  'it\'s "?"',
];

export const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What the service stores of a record with an exam, without class views. */
export function contribution(overrides: Partial<Contribution> = {}): Contribution {
  const progress = {
    started_at: '2024-01-02T03:04:05.000Z',
    last_activity_at: '2024-02-03T04:05:06.000Z',
    completed_at: '2024-03-04T05:06:07.000Z',
  };
  const assessment = { status: 'passed', score_pct: 87.5, taken_at: '2024-03-04T05:06:07.000Z' } as const;
  const record = {
    external_record_id: 'legacy-000123',
    parsed: parseRecord({ progress }, 123),
    evaluated: { completion_pct: 66.67, viewed: undefined, assessment, warnings: [] },
    learnerCourse: { user_id: 7, platform_course_id: 101 },
  };
  return { ...contributionOf(record, { import_id: IMPORT_ID, imported_at: AT, hash: () => HASH }), ...overrides };
}

/** A text of which this many bytes are left when it is compressed, and a few more. */
export function incompressible(bytes: number): string {
  const dice = new Dice(bytes);
  return Buffer.from(Array.from({ length: bytes }, () => dice.below(256))).toString('base64url');
}

export function write(overrides: Partial<RecordWrite> & { record?: Partial<Contribution> } = {}): RecordWrite {
  const { record, ...rest } = overrides;
  return {
    user_id: 7,
    platform_course_id: 101,
    claim: true,
    contribution: contribution(record),
    items: 0,
    ...rest,
  };
}

export function importItem(company_id: string, overrides: Partial<ImportItem> = {}): ImportItem {
  return {
    company_id,
    import_id: IMPORT_ID,
    dry_run: false,
    status: 'processing',
    created_at: AT,
    created_by: 1,
    created_by_client: null,
    run_id: null,
    completed_at: null,
    cancelled_at: null,
    reverted_at: null,
    total: 250,
    fingerprint: HASH,
    attempt_id: 'attempt-1',
    chunks: [
      { first_index: 0, size: 125, payload_hash: 'f'.repeat(32) },
      { first_index: 125, size: 125, payload_hash: '0'.repeat(32) },
    ],
    summaries: {},
    resends: 0,
    due_at: '2026-01-02T03:05:05.678Z',
    ...overrides,
  };
}

export const SUMMARY = {
  succeeded: 120,
  failed: 5,
  with_warnings: 17,
  conflict: [
    [3, 7, 101],
    [4, 8, 102],
  ] as const,
  failed_indexes: [9],
};

export function plan(title: string): Plan {
  const result = {
    index: 0,
    external_record_id: title,
    status: 'success',
    outcome: 'applied',
    errors: [],
    warnings: [],
    progress: null,
  } as const;
  return { records: [{ title, odd: '\ud800 \u0000 😀', ['__proto__']: 1 }], planned: [{ result, write: write() }] };
}

export function user(company_id: string, overrides: Partial<User> = {}): User {
  return {
    company_id,
    user_id: 7,
    email: `Ada@${company_id}.test`,
    name: 'Ada',
    role: 'admin',
    avatar: 'https://example.com/a.png',
    license: 'active',
    password_hash: '$scrypt$…',
    ...overrides,
  };
}

export function session(session_id: string, overrides: Partial<Session> = {}): Session {
  return {
    session_id,
    company_id: 'acme',
    user_id: 7,
    email: 'ada@acme.test',
    began_at: '2023-11-14T22:13:20.000Z',
    revoked: false,
    current: { jti: 'first', iat: 1_700_000_000, exp: 1_700_036_000 },
    spent: [{ jti: 'zeroth', spent_at_ms: 1_700_000_000_123 }],
    expires_at_seconds: 1_701_728_000,
    ...overrides,
  };
}

export const importSubject = (company_id: string) => ({ kind: 'import', company_id, import_id: IMPORT_ID }) as const;

export function revertOf(company_id: string, overrides: Partial<Revert> = {}): Revert {
  return {
    subject: importSubject(company_id),
    requested_at: AT,
    requested_by: 1,
    accepted_by: AT,
    ended_by: AT,
    covers: AT,
    phase: 'waiting',
    counts: NO_COUNTS,
    resends: 0,
    due_at: LATER,
    version: 0,
    ...overrides,
  };
}
