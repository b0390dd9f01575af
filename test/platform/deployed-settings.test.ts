/** Deployments, one after the other. Costs milliseconds. */
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { awsEnvironment } from '../../bin/local/endpoints.ts';
import {
  checkSettings,
  deployedParameter,
  patientWithIam,
  type SettingsEvent,
} from '../../functions/platform/deployed-settings.ts';
import { serve } from '../kit/serve.ts';

interface Given {
  readonly names?: readonly string[];
  readonly signingKey?: number;
  readonly format?: number;
  readonly forget?: readonly string[];
}

function eventOf(RequestType: 'Create' | 'Delete', given: Given): SettingsEvent {
  const { names = [], signingKey = 1, format = 1, forget = [] } = given;
  const deployed = { SigningKey: String(signingKey), Writes: String(format), Names: [...names] };
  const Reads = [String(format), String(format + 1)];
  return {
    RequestType,
    ResourceProperties: { ...deployed, Reads, Forget: forget, File: 'companies/a.sandbox.json' },
  };
}

/** Like CloudFormation, it writes the parameter after the check, and only for a deployment that succeeds. */
function newStack() {
  let parameter: string | undefined;
  return {
    async deploy(next: Given): Promise<void> {
      const { ResourceProperties } = eventOf('Create', next);
      await checkSettings(eventOf('Create', next), async () => parameter);
      parameter = JSON.stringify(ResourceProperties);
    },
  };
}

const CORS = { names: ['cors'] };

describe('a deployment', () => {
  it('a deployment may add settings and change them', async () => {
    const stack = newStack();
    await stack.deploy({});
    await stack.deploy(CORS);
    await expect(stack.deploy({ names: ['alarms', 'cors'], signingKey: 2 })).resolves.toBeUndefined();
  });

  it('a deployment that leaves out a deployed setting is refused, however often it is tried', async () => {
    const stack = newStack();
    await stack.deploy({ names: ['alarms', 'cors'] });
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(stack.deploy(CORS)).rejects.toThrow(
        /^alarms is deployed and not set now.*companies\/a\.sandbox\.json/,
      );
  });

  it('a deployment may leave out a setting that it lists as forgotten', async () => {
    const stack = newStack();
    await stack.deploy(CORS);
    await stack.deploy({ forget: ['cors'] });
    await expect(stack.deploy({})).resolves.toBeUndefined();
  });

  it('a deployment with a smaller signing key than the deployed one is refused', async () => {
    const stack = newStack();
    await stack.deploy({ signingKey: 10 });
    await expect(stack.deploy({ signingKey: 9 })).rejects.toThrow('signing-key is 9, but 10 is deployed');
  });

  it('a deployment of a release that cannot read the stored format is refused; one release back it can', async () => {
    const stack = newStack();
    await stack.deploy({ format: 3 });
    await expect(stack.deploy({ format: 1 })).rejects.toThrow('writes format 3, and this release reads 1 and 2');
    await expect(stack.deploy({ format: 2 })).resolves.toBeUndefined();
  });

  it('the end of a set of settings is never refused, and reads nothing', async () => {
    const read = () => Promise.reject(new Error('read'));
    await expect(checkSettings(eventOf('Delete', {}), read)).resolves.toEqual({ PhysicalResourceId: 'settings' });
  });
});

describe('deployedParameter', () => {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { Name } = (await json(request)) as { readonly Name: string };
    const known = Name === '/acme/settings';
    const body = known ? { Parameter: { Value: 'deployed' } } : { __type: 'ParameterNotFound' };
    response.writeHead(known ? 200 : 400).end(JSON.stringify(body));
  };
  afterAll(() => void vi.unstubAllEnvs());

  it('deployedParameter: a parameter → its value; none, as in a first deployment → undefined', async () => {
    const ssm = await serve(respond);
    for (const [name, value] of Object.entries(awsEnvironment(ssm.url))) vi.stubEnv(name, value);
    const read = (name: string) => deployedParameter({ SETTINGS_PARAMETER: name })();
    expect([await read('/acme/settings'), await read('/globex/settings')]).toEqual(['deployed', undefined]);
    ssm.stop();
  });
});

describe('patientWithIam', () => {
  const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  const another = new Error('another');

  it.each([
    ['a role that is denied at first → the result of the first call that is allowed', 3, denied, 'done', 3],
    ['a role that stays denied → its error after a minute', 1000, denied, denied, 30],
    ['another error → that error at once', 1, another, another, 0],
  ])('patientWithIam: %s', async (_, times, error, outcome, waits) => {
    const waited: number[] = [];
    let left = times;
    const call = async () => {
      left -= 1;
      if (left >= 0) throw error;
      return 'done';
    };
    const result = patientWithIam(call, { sleep: async (ms) => void waited.push(ms / 1000) });
    expect(await result.catch((thrown: unknown) => thrown)).toBe(outcome);
    expect(waited).toEqual(Array(waits).fill(2));
  });
});
