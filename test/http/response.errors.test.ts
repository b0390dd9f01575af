/** The error envelope (§7.2). Handlers over memory services; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { REQUEST_ERROR_STATUS } from '../../functions/shared/codes.ts';
import { publicOperation } from '../../functions/http/chain.ts';
import { RequestRejected, type PublicOperation } from '../../functions/http/types.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { apiEvent, CONTEXT, invoke } from '../kit/api-event.ts';
import { useAuthServices } from '../kit/auth-services.ts';

const setting = useAuthServices();

const handlerOf = (operation: PublicOperation) => publicOperation(() => setting().services, operation);
const failing = (error: unknown) =>
  handlerOf(async () => {
    throw error;
  });

describe('the error envelope', () => {
  it.each(Object.entries(REQUEST_ERROR_STATUS))(
    'the error envelope of %s has status %i',
    async (error_code, status) => {
      const rejected = new RequestRejected(error_code as keyof typeof REQUEST_ERROR_STATUS, 'why', {
        field: 'records',
      });
      const response = await invoke(failing(rejected));
      expect(response.status).toBe(status);
      expect(response.body).toEqual({
        errors: [{ error_code, message: 'why', field: 'records' }],
        request_id: 'request-1',
      });
    },
  );

  it('the error envelope has no field if the problem names none', async () => {
    const response = await invoke(failing(new RequestRejected('route_not_found', 'unknown')));
    expect(response.body.errors[0]).not.toHaveProperty('field');
  });

  it('a 429 and a 503 have a Retry-After header', async () => {
    const limited = new RequestRejected('too_many_requests', 'slow down', { retryAfterSeconds: 42 });
    expect((await invoke(failing(limited))).headers['retry-after']).toBe('42');
    expect((await invoke(failing(new RequestRejected('too_many_requests', 'slow down')))).headers['retry-after']).toBe(
      '2',
    );
    expect((await invoke(failing(new TemporarilyUnavailable('table')))).headers['retry-after']).toBe('2');
  });

  it('a 401 names the scheme on protected operations only', async () => {
    expect(
      (await invoke(failing(new RequestRejected('unauthorized', 'no')))).headers['www-authenticate'],
    ).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['an error', new Error('secret cause')],
    ['a type error', new TypeError('secret cause')],
    ['a text', 'secret cause'],
    ['nothing', undefined],
  ])('the error envelope does not reveal the cause of a fault that is %s', async (_, cause) => {
    const response = await invoke(failing(cause));
    expect(response.status).toBe(500);
    expect(response.body.errors[0].error_code).toBe('internal_error');
    expect(JSON.stringify(response)).not.toContain('secret cause');
  });

  it('an operation that takes too long gets an error envelope', async () => {
    const never = handlerOf(() => new Promise(() => {}));
    const response = await never(apiEvent(), { ...CONTEXT, getRemainingTimeInMillis: () => 0 });
    expect(response.statusCode).toBe(503);
  });

  it('a result that cannot be written as JSON gets an error envelope', async () => {
    const odd = handlerOf(async () => ({ statusCode: 200, body: { count: 1n } }));
    expect((await invoke(odd)).status).toBe(500);
  });
});
