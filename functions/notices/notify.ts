/** Mails a notice of a run to the administrators that its `notify` names (§4.11). */
import type { DirectoryStore } from '../catalog/directory-store.ts';
import { inParallel } from '../runtime/batching.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { RunEventType } from '../shared/codes.ts';
import type { Mailer } from './mailer.ts';
import { mailAbout, type NotedRun } from './texts.ts';

/** An event of a run, as the bus delivers it: its detail is the run resource. */
export interface RunNotice {
  readonly 'detail-type': RunEventType;
  readonly detail: NotedRun & { readonly notify: readonly number[] | null; readonly language: string | null };
}

interface Services {
  readonly mailer: Mailer;
  readonly telemetry: Telemetry;
  readonly stores: { readonly directory: Pick<DirectoryStore, 'userById'> };
  readonly page: string | undefined;
}

const AT_ONCE = 10;

/** One mail for all who are still active administrators. It throws if the mail was not sent: Lambda then tries again. */
export async function notify(notice: RunNotice, services: Services): Promise<void> {
  const { 'detail-type': type, detail: run } = notice;
  const { mailer, telemetry } = services;
  const addresses = await addressesOf(run, services);
  const fields = { company_id: run.company_id, run_id: run.run_id, event: type, addresses: addresses.length };
  try {
    if (addresses.length > 0) await mailer.send(mailAbout(type, run, services.page), addresses);
    telemetry.info('notice', fields);
  } catch (error) {
    telemetry.error('A notice could not be mailed. Lambda tries twice more.', error, fields);
    throw error;
  }
}

async function addressesOf({ company_id, notify: ids }: RunNotice['detail'], { stores }: Services): Promise<string[]> {
  const users = await inParallel(ids ?? [], AT_ONCE, (id) => stores.directory.userById(company_id, id));
  return users.flatMap((user) => (user?.role === 'admin' && user.license === 'active' ? [user.email] : []));
}
