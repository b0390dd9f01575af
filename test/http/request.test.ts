/** The event and the query parameters of a request (§4). Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { checkAll, choiceFrom, instantFrom, limitFrom, rejectionOf } from '../../functions/http/request.ts';
import { RequestRejected, type ApiRequest } from '../../functions/http/types.ts';
import { publicOperation } from '../../functions/http/chain.ts';
import type { Problem, RequestErrorCode } from '../../functions/shared/codes.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { apiEvent, CONTEXT } from '../kit/api-event.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';

const range = { max: 500, fallback: 100 };
const rejectedAt = (field: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ error_code: 'invalid_request', field }) });

describe('limit', () => {
  it('limit: absent → the default; a number in range → that number', () => {
    expect(limitFrom({}, range)).toBe(100);
    expect(['1', '500'].map((limit) => limitFrom({ limit }, range))).toEqual([1, 500]);
  });

  it.each(['', '0', '-1', '501', '1.5', '1e2', '+5', ' 5', '0x10', '5,6', '٣', 'NaN'])(
    'limit: %j → a problem',
    (limit) => {
      expect(() => limitFrom({ limit }, range)).toThrow(rejectedAt('limit'));
    },
  );
});

describe('a choice', () => {
  const statuses = ['success', 'error'] as const;

  it('a choice: absent → absent; each of its values → that value', () => {
    expect(choiceFrom({}, 'status', statuses)).toBeUndefined();
    expect(choiceFrom({ status: 'error' }, 'status', statuses)).toBe('error');
  });

  it.each(['', 'Error', 'error ', 'success,error', 'toString', '__proto__'])('a choice: %j → a problem', (status) => {
    expect(() => choiceFrom({ status }, 'status', statuses)).toThrow(rejectedAt('status'));
  });
});

describe('checkAll', () => {
  const rejecting = (...problems: Problem<RequestErrorCode>[]) => {
    const rejection = rejectionOf(problems);
    return () => {
      throw rejection;
    };
  };
  const wrong = { error_code: 'invalid_request', message: 'dry_run is required.', field: 'dry_run' } as const;
  const other = { error_code: 'invalid_request', message: 'emails is required.', field: 'emails' } as const;
  const tooLarge = {
    error_code: 'batch_too_large',
    message: 'records must have 1 to 1 items.',
    field: 'records',
  } as const;
  const problemsOf = (...readings: (() => unknown)[]) => problemsWith({}, ...readings);
  const problemsWith = (query: Record<string, string>, ...readings: (() => unknown)[]) => {
    try {
      return checkAll({ query, parameters: ['limit'] }, ...readings);
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error;
      return [error.problem, ...(error.options.others ?? [])];
    }
  };

  it('readings without a problem → what they return', () => {
    expect(
      problemsOf(
        () => 1,
        () => undefined,
      ),
    ).toEqual([1, undefined]);
  });

  it('an unknown query parameter → a problem beside the others, and behind a batch that is too large', () => {
    const unknown = expect.objectContaining({ error_code: 'invalid_request', field: 'z' });
    expect(problemsWith({ z: '1', limit: '5' })).toEqual([unknown]);
    expect(problemsWith({ z: '1' }, rejecting(wrong))).toEqual([unknown, wrong]);
    expect(problemsWith({ z: '1' }, rejecting(tooLarge))).toEqual([tooLarge, unknown]);
    expect(checkAll({ query: { z: '1' } })).toEqual([]);
  });

  it('several problems → all in their order, a batch that is too large first', () => {
    expect(problemsOf(rejecting(wrong), () => 1, rejecting(other))).toEqual([wrong, other]);
    expect(problemsOf(rejecting(wrong, other), rejecting(tooLarge))).toEqual([tooLarge, wrong, other]);
  });

  it('a fault of the service → that fault', () => {
    const fault = new TypeError('a fault');
    const failing = () => {
      throw fault;
    };
    expect(() => checkAll({ query: {} }, rejecting(wrong), failing)).toThrow(fault);
  });
});

describe('an event of API Gateway', () => {
  const read = async (parts: Partial<ReturnType<typeof apiEvent>>) => {
    const seen: ApiRequest[] = [];
    const services = { clock: { nowMs: () => 0 }, random: secureRandom, telemetry: recordingTelemetry() };
    const operation = publicOperation(
      () => services,
      async (request) => {
        seen.push(request);
        return { statusCode: 200, body: {} };
      },
    );
    await operation({ ...apiEvent(), ...parts }, CONTEXT);
    return seen[0] as ApiRequest;
  };

  it('a repeated header → each of its values, however it is spelled; a repeated query parameter → an invalid value', async () => {
    const request = await read({
      multiValueHeaders: { 'X-Two': ['a', 'b'], 'x-two': ['c'], Authorization: ['Bearer t'] },
      multiValueQueryStringParameters: { limit: ['1', '2'], __proto__: ['p'] },
    });
    expect(request.headers).toMatchObject({ 'x-two': 'a,b,c', authorization: 'Bearer t' });
    expect(request.query['limit']?.isWellFormed()).toBe(false);
  });

  it('the parameters of the path are decoded, or kept as they are if they cannot be', async () => {
    const { path } = await read({ pathParameters: { run_id: 'a%2Fb%20%C3%A9', import_id: '%zz' } });
    expect({ ...path }).toEqual({ run_id: 'a/b é', import_id: '%zz' });
    const rest = await read({ pathParameters: { proxy: 'runs/a%2Fb%20%C3%A9/evid%65nce' } });
    expect(rest.path['proxy']).toBe('runs/a%2Fb é/evidence');
  });

  const IMPORTS = '/v1/migrations/{company_id}/progress/imports';
  it.each([
    ['/', '/sandbox/', '/sandbox'],
    ['/', '/', ''],
    ['/page/{proxy+}', '/sandbox/page/page-A.js', '/sandbox'],
    ['/page/{proxy+}', '/page/page-A.js', ''],
    [IMPORTS, '/sandbox/v1/migrations/acme/progress/imports', '/sandbox'],
    [IMPORTS, '/v1/migrations/acme/progress/imports', ''],
    [IMPORTS, '/lms/v1/v1/migrations/acme/progress/imports', '/lms/v1'],
  ])('the prefix of the path before the route %s is found in %s', async (resource, path, basePath) => {
    const { requestContext } = apiEvent();
    expect((await read({ resource, requestContext: { ...requestContext, path } })).basePath).toBe(basePath);
  });

  it('the values of a header are returned one by one, however its name is spelled', async () => {
    const headers = { 'Idempotency-Key': ['a,b'], 'idempotency-key': ['c'] };
    const { headerValues } = await read({ multiValueHeaders: headers });
    expect([headerValues('idempotency-key'), headerValues('x-none')]).toEqual([['a,b', 'c'], []]);
  });
});

describe('a date of a query', () => {
  it.each([
    ['2026-01-02T03:04:05 02:00', '2026-01-02T01:04:05.000Z'],
    ['20260102T0304 02', '2026-01-02T01:04:00.000Z'],
    ['2026-01-02T03:04:05-02:00', '2026-01-02T05:04:05.000Z'],
  ])('a plus sign that was not escaped is read as one: %s', (since, expected) => {
    expect(instantFrom({ since }, 'since')).toBe(expected);
  });

  it.each(['2026-01-02 03:04', '2026-01-02 0304', '2026-01-02T03:04 2:00', ' 2026-01-02'])(
    'another blank is refused: "%s"',
    (since) => {
      expect(() => instantFrom({ since }, 'since')).toThrow(rejectedAt('since'));
    },
  );
});
