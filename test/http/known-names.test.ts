/** Each operation refuses a query parameter and a member that it does not define. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { expectNoBody } from '../../functions/http/json-body.ts';
import { OPERATION, unknownNames } from '../../functions/http/known-names.ts';
import { ROUTES } from '../../functions/shared/routes.ts';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import { PARAMETERS } from '../../lib/openapi/parameters.ts';

describe('query parameters', () => {
  it.each(OPERATIONS.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s takes the parameters of the document',
    (route, { parameters = [] }) => {
      const documented = parameters.map((name) => PARAMETERS[name]).filter((each) => each.in === 'query');
      const names = documented.map(({ name }) => name);
      const { query = [] } = ROUTES.find(({ method, path }) => `${method} ${path}` === route) ?? {};
      expect(query.toSorted()).toEqual(names.toSorted());
    },
  );

  it('the page for people takes any', () => {
    expect(OPERATION.test('GET /')).toBe(false);
  });
});

describe('unknownNames', () => {
  it.each([
    ['statuss', 'status'],
    ['Status', 'status'],
    ['createdSince', 'created_since'],
    ['run-id', 'run_id'],
    ['limt', 'limit'],
    ['status_of_everything', undefined],
    ['x', undefined],
  ])('%s is near %s', (sent, near) => {
    const [problem] = unknownNames([sent], ['status', 'limit', 'run_id', 'created_since'], 'query parameter');
    expect(problem?.field).toBe(sent);
    expect(/Did you mean (\w+)\?$/.exec(problem?.message ?? '')?.[1]).toBe(near);
  });

  it('names at most ten, each at 64 characters at most', () => {
    const problems = unknownNames(
      Array.from({ length: 50 }, (_, at) => `${at}${'😀'.repeat(200)}`),
      [],
      'member',
    );
    expect(problems).toHaveLength(10);
    expect(problems.every(({ field = '', message }) => field.length <= 64 && message.length < 300)).toBe(true);
  });
});

it('an operation without a body takes none, or an empty object', () => {
  const sent = (text?: string) => ({ query: {}, body: { text, isBase64: false, contentType: 'application/json' } });
  expect(() => expectNoBody(sent())).not.toThrow();
  expect(() => expectNoBody(sent('{}'))).not.toThrow();
  expect(() => expectNoBody(sent('{"dry_run":true}'))).toThrow(
    '"dry_run" is no member of this operation. It has none.',
  );
});
