import { directoryStore } from '../catalog/directory-store.ts';
import { deployed } from '../dynamodb/client.ts';
import { withinCompany } from '../dynamodb/tenancy.ts';
import { sesMailer } from '../notices/mailer.ts';
import { notify, type RunNotice } from '../notices/notify.ts';
import { powertoolsTelemetry } from '../runtime/telemetry.ts';
import * as ENV from '../runtime/variables.ts';

const services = deployed((database, environment) => ({
  telemetry: powertoolsTelemetry(),
  mailer: sesMailer(environment),
  stores: { directory: directoryStore(database) },
  page: environment[ENV.pageUrl],
}));

/** Mails the notices of runs (§4.11) to those whom they name. A rule of the event bus invokes it. */
export const handler = (notice: RunNotice): Promise<void> =>
  withinCompany(notice.detail.company_id, () => notify(notice, services()));
