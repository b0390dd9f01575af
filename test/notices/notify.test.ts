/** Who gets a notice: the named administrators, as the platform knows them now. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import type { Mail } from '../../functions/notices/texts.ts';
import { notify } from '../../functions/notices/notify.ts';
import { planted } from '../kit/planted.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';
import { createWorld } from '../kit/world.ts';
import { noticedRun } from './run.ts';

const USER = { company_id: 'acme', name: 'N', avatar: '', role: 'admin', license: 'active' } as const;
const ADMINS = [
  { ...USER, user_id: 1, email: 'ada@acme.test' },
  { ...USER, user_id: 2, email: 'bob@acme.test', license: 'inactive' },
  { ...USER, user_id: 3, email: 'eve@acme.test' },
  { ...USER, user_id: 7, email: 'ann@acme.test', role: 'customer' },
  { ...USER, user_id: 8, email: 'zoe@acme.test' },
] as const;

async function mailing(send: (mail: Mail, addresses: readonly string[]) => Promise<void>) {
  const { stores } = createWorld();
  await planted(stores.platform).putUsers([...ADMINS]);
  const telemetry = recordingTelemetry();
  const services = { mailer: { send }, telemetry, stores, page: undefined };
  return {
    lines: telemetry.lines,
    about: (ids: readonly number[] | null) =>
      notify({ 'detail-type': 'Run Ended', detail: { ...noticedRun, notify: ids } }, services),
  };
}

describe('a notice', () => {
  it('goes to those who are active administrators now: not to others, nor to who left', async () => {
    const sent: (readonly string[])[] = [];
    const { about, lines } = await mailing(async (_, addresses) => void sent.push(addresses));
    await about([1, 2, 7, 8, 99]);
    expect(sent).toEqual([['ada@acme.test', 'zoe@acme.test']]);
    expect(JSON.stringify(lines)).not.toMatch(/@acme/);
  });

  it.each([[null], [[]], [[2]]])('that reaches nobody sends no mail: %j', async (ids) => {
    const { about } = await mailing(() => Promise.reject(new Error('sent')));
    await expect(about(ids)).resolves.toBeUndefined();
  });

  it('that could not be mailed fails, so that Lambda tries again', async () => {
    const { about } = await mailing(() => Promise.reject(new Error('down')));
    await expect(about([1])).rejects.toThrow('down');
  });
});
