/** The items that the cold-start events need: sessions, and a finished import. */
import { openSession } from '../../functions/auth/sessions.ts';
import type { TestServices as Services } from '../kit/world.ts';
import type { ColdContext } from './cold-events.ts';
import { type Engines, type World, worldOf } from './cloud.ts';
import type { Cloud, Design } from './design.ts';
import { divertOutput } from './meter/standard-output.ts';
import { designOn, servicesOn } from './service.ts';
import { ADMIN, importOf } from './workload.ts';

/** Tokens are issued in the past of the real clock, which the started processes check them against. */
export async function prepareCallers(engines: Engines): Promise<{ context: ColdContext; world: World }> {
  let services: Services | undefined;
  const build = async (cloud: Cloud): Promise<Design> => {
    services = await servicesOn(cloud, Date.now() - 60_000);
    return designOn(services);
  };
  const world = await worldOf(engines, build, { learners: 50, courses: 5 });
  const restoreOutput = divertOutput(() => undefined);
  try {
    if (services === undefined) throw new Error('no services');
    const { access_token: accessToken } = await openSession(services, ADMIN, services.clock.nowMs());
    const { refresh_token: refreshToken } = await openSession(services, ADMIN, services.clock.nowMs());
    const { session_id } = claimsOf(refreshToken);
    await services.stores.sessions.revoke(session_id);
    const records = importOf({ learners: 50, courses: 1 });
    const { body } = await world.design.startImport({ dry_run: false, records }, 'cold');
    await world.deliver(async (event) => void (await world.design.process(event)));
    const recordId = records[0]?.external_record_id ?? '';
    return { context: { accessToken, refreshToken, importId: body.import_id, recordId }, world };
  } finally {
    restoreOutput();
  }
}

function claimsOf(token: string): { session_id: string } {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  return { session_id: payload.sid };
}
