/** The event of a request, and the problems of what is read of it (§4). Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { checkAll, rejectionOf } from '../../functions/http/request.ts';
import { RequestRejected, type ApiRequest } from '../../functions/http/types.ts';
import { publicOperation } from '../../functions/http/chain.ts';
import type { Problem, RequestErrorCode } from '../../functions/shared/codes.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { apiEvent, CONTEXT } from '../kit/api-event.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';

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
