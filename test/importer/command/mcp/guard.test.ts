/** What no tool can send, whatever it does. In memory. */
import { describe, expect, it } from 'vitest';
import { guarded } from '../../../../bin/importer/command/mcp/guard.ts';

describe('the guard below the tools', () => {
  const base = 'https://history.test/v1/migrations/acme';

  it.each([
    ['POST', `${base}/progress/imports`, { dry_run: false }],
    ['POST', `${base}/progress/imports`, {}],
    ['POST', `${base}/progress/runs/r/plan/approve`, {}],
    ['POST', `${base}/progress/runs/r/plan/apply`, {}],
    ['POST', `${base}/progress/runs/r/cancel`, {}],
    ['POST', `${base}/progress/runs/r/revert`, { dry_run: true }],
    ['POST', `${base}/progress/runs/r/evidence`, {}],
    ['POST', `${base}/users/mappings`, {}],
    ['POST', `${base}/catalog/mappings`, {}],
    ['DELETE', `${base}/users/mappings/1`, undefined],
    ['DELETE', `${base}/progress/runs/r`, undefined],
    ['POST', 'https://history.test/api/v1/auth/login', {}],
  ] as const)('refuses %s %s', (method, url, body) => {
    const send = guarded(() => Promise.reject(new Error('sent')));
    expect(() => send({ method, url, body })).toThrow(/a person does that/);
  });

  it('lets reads, dry runs and drafts through', async () => {
    const sent: string[] = [];
    const send = guarded(async ({ method }) => {
      sent.push(method);
      return { status: 200, body: undefined as never, headers: new Headers(), retryAfterSeconds: undefined };
    });
    await send({ method: 'GET', url: `${base}/progress/runs` });
    await send({ method: 'POST', url: `${base}/progress/imports`, body: { dry_run: true } });
    await send({ method: 'PUT', url: `${base}/progress/runs/spring`, body: {} });
    await send({ method: 'POST', url: `${base}/progress/runs/spring/plan`, body: {} });
    expect(sent).toEqual(['GET', 'POST', 'PUT', 'POST']);
  });
});
