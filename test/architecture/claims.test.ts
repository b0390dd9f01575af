/** Each row of decisions.md, limits.md and SECURITY.md claims something: here stands the test that shows it. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

/** A claim by the first cell of its row, of records by the number of its rule, and where it is tested: file and test. */
const CLAIMS: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  'docs/decisions.md': {
    'How do errors look, beyond `errors[].error_code`?': [
      'test/over-http/examples.test.ts',
      'is what the service gives',
    ],
    'Which status has each code?': ['test/http/errors.test.ts', 'has %s with status %i'],
    'What is checked first?': ['test/http/authorise.test.ts', 'comes to %s before what is checked later'],
    'How are records and addresses named in requests?': [
      'test/over-http/requests.test.ts',
      'is reported at once, and a misnamed',
    ],
    'How are lists paged?': ['test/over-http/limits.test.ts', 'ends early where it would exceed 4 MiB'],
    'How do e-mail addresses compare?': ['test/auth/login.test.ts', 'without regard to ASCII letter case'],
    'What of a byte-order mark, or a member that an object names twice?': [
      'test/over-http/requests.test.ts',
      'is refused, and its path named',
    ],
    'What of an `Idempotency-Key` that is sent twice?': ['test/over-http/requests.test.ts', 'is no third key, but 400'],
    'Which operations return 201?': ['test/over-http/examples.test.ts', 'login 201'],
    'How are migration operations authorised?': [
      'test/over-http/malformed.test.ts',
      'a company that is not enabled are distinguished',
    ],
    'Is another company 403 or 404?': [
      'test/http/authorise.test.ts',
      'gets the same response whether or not the other company exists',
    ],
    'What does an access token of 20 days allow after a user is deactivated?': [
      'test/http/authorise.test.ts',
      'a token that verifies is 401',
    ],
    'What happens to a spent refresh token?': ['test/auth/sessions.test.ts', 'ends the whole session after 30 s'],
    'What ends a session?': ['test/security/in-process/sessions.test.ts', 'moves one after another'],
    'Which password does the profile return?': ['test/handlers/get-profile.test.ts', 'and never the hash'],
    'How are passwords protected against guessing?': [
      'test/auth/throttle.test.ts',
      'does not lock the account for other addresses',
    ],
    'What does an import return?': ['test/over-http/seven-steps.test.ts', 'from the catalog to the rejected records'],
    'Which outcome is `success`, `partial_success`, `error`?': [
      'test/over-http/imports-lists.test.ts',
      'filtered by %s make full pages',
    ],
    'How long does an `Idempotency-Key` bind?': [
      'test/over-http/idempotency.test.ts',
      'also after the import has ended',
    ],
    'Does a refused request bind its key?': [
      'test/over-http/idempotency.test.ts',
      'a request answered 4xx binds no key',
    ],
    'What of the results of a person who is erased?': [
      'test/erasure/erase-import.test.ts',
      'takes the records of the person out, and leaves those of others as they were',
    ],
    'What of a revert when the results have expired?': ['test/over-http/retention.test.ts', 'cannot be reverted'],
    'What is “the same payload”?': [
      'test/over-http/idempotency.test.ts',
      'compares payloads as JSON values, not as bytes',
    ],
    'Do default dates differ between dry run and import?': [
      'test/over-http/record-rules.test.ts',
      'a record sent again',
    ],
    'Can an import hang?': ['test/imports/watch.test.ts', 'is announced as abandoned and ends a minute later'],
    '1': ['test/over-http/record-rules.test.ts', 'several problems at once'],
    '2': ['test/over-http/record-rules.test.ts', 'unknown_field_ignored'],
    '3': ['test/over-http/limits.test.ts', 'external ids are limited'],
    '4': ['test/records/evaluate.test.ts', 'a class listed twice counts by its first entry'],
    '5': ['test/over-http/limits.test.ts', 'a class view without a date has that of the import'],
    '6': ['test/over-http/record-rules.test.ts', 'user identifiers that disagree'],
    '7': ['test/over-http/record-rules.test.ts', 'completion_pct_derived'],
    '8': ['test/over-http/record-rules.test.ts', 'assessment_ignored'],
    '9': ['test/over-http/record-rules.test.ts', 'certified_at'],
    '10': ['test/records/evaluate.test.ts', 'the first 10, the rest counted'],
    '11': ['test/records/join.test.ts', 'effective progress is never below any of its parts'],
    '12': ['test/over-http/record-rules.test.ts', 'never moves to another pair'],
    '13': ['test/imports/watch.test.ts', 'its records may be sent again'],
    '14': ['test/over-http/record-rules.test.ts', 'a content type of the future'],
  },
  'SECURITY.md': {
    'Who may call what.': ['test/security/in-process/matrix.test.ts', 'is as large as is promised'],
    'Tokens.': ['test/security/in-process/forgeries.test.ts', 'no forged token is accepted'],
    'A valid token is not enough.': ['test/http/authorise.test.ts', 'loses the admin role from the next request on'],
    'Sessions.': ['test/security/in-process/sessions.test.ts', 'a broken variant is caught'],
    'Signing keys': ['test/security/in-process/sessions.test.ts', 'a key is remembered for six minutes'],
    "The platform's facts.": ['test/platform/apply-facts.test.ts', 'ends as the highest version of each entity says'],
    'No password in an asset.': ['test/local/sandbox-file.test.ts', 'none is anywhere in the asset'],
    Passwords: ['test/security/in-process/passwords.test.ts', 'is computed exactly once, of the same cost'],
    'Guessing.': ['test/security/in-process/passwords.test.ts', 'holds nobody longer than the window'],
    'Cost of abuse.': ['test/bench/goals.ts', 'dollars an hour of one stolen admin token'],
    'Tenancy.': ['test/security/in-process/tenancy.test.ts', 'saw no key of another company in any of this'],
    'Hostile input.': ['test/security/in-process/fuzz.test.ts', 'nothing that is sent makes an operation fail'],
    Cursors: ['test/security/in-process/cursors.test.ts', 'opens its own list alone'],
    'Transport.': ['test/lib/transport.test.ts', 'gatewayresponse.header.strict-transport-security'],
    'Who did it.': ['test/http/authorise.test.ts', "describe('the log line'"],
    'On the terminal.': ['test/cli/terminal.test.ts', 'nothing writes to the terminal past it'],
    'People can be erased.': [
      'test/erasure/steps.laws.test.ts',
      'leaves nothing of the person, and everything of everybody else',
    ],
    'Secrets stay inside.': ['test/deploy/telemetry.test.ts', 'are found in no log line, metric or queue message'],
    'Least privilege.': ['test/deploy/least-privilege.test.ts', 'does all that it may'],
    'Your own machine.': ['test/docs/other-origin.test.ts', 'a page of another origin reads nothing'],
  },
  'docs/limits.md': {
    'records in an import': ['test/over-http/reference-operations.test.ts', 'and answers 413 beyond'],
    'e-mail addresses in a resolve request': ['test/over-http/reference-operations.test.ts', 'and answers 413 beyond'],
    'entries in a mapping request': ['test/over-http/reference-operations.test.ts', 'and answers 413 beyond'],
    'body of a request': ['test/http/request.test.ts', 'of exactly 4 MiB is read'],
    'one record as JSON': ['test/over-http/limits.test.ts', 'a record of 64 KiB'],
    '`external_record_id`, external user and course ids': ['test/over-http/limits.test.ts', 'external ids are limited'],
    '`external_ref`': ['test/over-http/limits.test.ts', 'external_ref is limited'],
    'e-mail address': ['test/over-http/limits.test.ts', 'an e-mail address is limited'],
    '`Idempotency-Key`': ['test/over-http/idempotency.test.ts', '%s is no key: 400'],
    '`company_id`': ['test/http/authorise.test.ts', "x'.repeat(5000)"],
    'course and class ids': ['test/over-http/limits.test.ts', 'course and class ids are limited'],
    dates: ['test/records/instants.test.ts', 'dates are read as UTC instants'],
    'problems reported of a record': ['test/records/problems.test.ts', 'counts the rest'],
    'problems in an import resource': ['test/imports/results.test.ts', 'are all there up to 10,000'],
    'page of courses': ['test/over-http/limits.test.ts', 'a page is limited'],
    'page of mappings or results': ['test/over-http/limits.test.ts', 'a page is limited'],
    'page of imports': ['test/over-http/limits.test.ts', 'a page is limited'],
    'response of a list': ['test/over-http/limits.test.ts', 'ends early where it would exceed 4 MiB'],
    session: ['test/auth/sessions.test.ts', 'ends 90 days after its login'],
    'signing key that was withdrawn': ['test/auth/verify-token.test.ts', 'refused within five minutes'],
    'access token': ['test/auth/tokens.test.ts', 'lives 20 days'],
    'refresh token': ['test/auth/sessions.test.ts', 'for 30 s'],
    'failed logins': ['test/auth/throttle.test.ts', 'ends five minutes after the first failure'],
    'idempotency keys and imports': ['test/over-http/idempotency.test.ts', 'also after the import has ended'],
    'results of an import, and what was sent': [
      'test/over-http/retention.test.ts',
      'an import whose results have expired says so, keeps its counts and its key',
    ],
    'erasing a person': [
      'test/erasure/steps.test.ts',
      'removes nothing until whoever began before it has ended, while imports of the company wait',
    ],
    'report of a dry run': ['test/imports/results.test.ts', 'can be read for 30 days'],
    'members of a record that the interface does not define': [
      'test/imports/batch.test.ts',
      'hold nothing that the interface does not define',
    ],
    'a change of a course or of a course mapping': [
      'test/catalog/course-memory.test.ts',
      'that changed before an import was sent',
    ],
    'a chunk that met a throttle': ['test/jobs/queue.test.ts', 'delivered again after 15 to 30 seconds'],
    'a revert': ['test/over-http/revert.test.ts', 'leaves what there would be without the import, as its dry run says'],
    'imports, dry runs and requests that register mappings': [
      'test/imports/quotas.test.ts',
      'count dry runs and requests that register mappings',
    ],
    'their records, as JSON': ['test/imports/quotas.test.ts', 'refused by their bytes; the last import may exceed it'],
    'lists of courses, mappings and results, audits, and reports that are not ordinary': [
      'test/imports/quotas.test.ts',
      'count no report of an ordinary import',
    ],
    'an import that cannot be processed': [
      'test/imports/watch.test.ts',
      'is announced as abandoned and ends a minute later',
    ],
  },
};

/** First cells of the tables of a page, but of the settings of a deployment, which the template has. */
function rowsOf(page: string): string[] {
  if (page === 'SECURITY.md') return [...read(page).matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, name = '']) => name);
  const [text = ''] = read(page).split('## Of a deployment');
  const cells = [...text.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell = '']) => cell);
  return [...new Set(cells)].filter((cell) => !['question', 'what', 'rule'].includes(cell));
}

describe.each(Object.entries(CLAIMS))('%s', (page, claims) => {
  it('claims nothing without a test', () => {
    expect(rowsOf(page).toSorted()).toEqual(Object.keys(claims).toSorted());
  });

  it.each(Object.entries(claims))('%s', (_, [file, test]) => {
    expect(read(file)).toContain(test);
  });
});

describe('docs/asvs.md', () => {
  const rows = [...read('docs/asvs.md').matchAll(/^\|[^|]*\|([^|]+)\|([^|]+)\|([^|]*)\|$/gm)].slice(2);

  it('goes through all seventeen chapters', () => {
    const chapters = [...read('docs/asvs.md').matchAll(/^\| V(\d+) /gm)].map(([, number]) => Number(number));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
  });

  it.each(rows.map(([, group = '', verdict = '', evidence = '']) => [group.trim(), verdict.trim(), evidence]))(
    '%s: is met, with evidence that exists, or is not ours to give',
    (_, verdict, evidence) => {
      const paths = [...evidence.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      expect(paths.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
      expect(verdict).toMatch(/^(met|does not apply|the platform's)/);
      expect(verdict.startsWith('met') && paths.length === 0).toBe(false);
    },
  );
});
