import { allEntries, evidenceKeyStore } from '../evidence/evidence.ts';
import { plansOfRun } from '../evidence/plans.ts';
import { kmsEvidenceSigner } from '../auth/kms-signer.ts';
import { partiesOf, signJws } from '../auth/tokens.ts';
import { acrossCompanies } from '../dynamodb/tenancy.ts';
import { evidenceRequest } from '../http/bodies.ts';
import { bodyOf } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { runOf, runNotFound } from '../http/parameters.ts';
import { RequestRejected, type Bearer } from '../http/types.ts';
import { digestOf } from '../imports/results.ts';
import { runReader } from '../imports/import-lists.ts';
import { countsOfRun } from '../imports/run-counts.ts';
import { gateStore } from '../jobs/gate.ts';
import { importHolder } from '../jobs/work.ts';
import { planStore } from '../plans/store.ts';
import { revertStore } from '../reverts/store.ts';
import * as ENV from '../runtime/variables.ts';
import { secondsOf } from '../runtime/system.ts';
import { signEvidence as route } from '../shared/routes.ts';

/** `POST …/runs/{run_id}/evidence` (§4.10): 200, a compact JWS. Errors: 404 `run_not_found`, 409 `run_not_terminal`. */
export const handler = migrationOperation(
  route,
  (database, environment) => ({
    parties: partiesOf(environment),
    version: ENV.variable(environment, ENV.version),
    evidenceSigner: kmsEvidenceSigner(environment, keyUnusable),
    stores: {
      imports: runReader(database),
      evidenceKeys: evidenceKeyStore(database),
      reverts: revertStore(database),
      plans: planStore(database),
      jobs: gateStore(database),
    },
  }),
  async (request, services) => {
    const { reason, statement } = bodyOf(evidenceRequest, request);
    const run = runOf(request);
    const revert = await services.stores.reverts.read({ kind: 'run', ...run });
    const { plans, isApplying } = await plansOfRun(run, services.stores);
    const { by, waiting = [] } = await services.stores.jobs.readGate(run.company_id);
    const { entries, isProcessing } = await allEntries(run, services);
    if (entries.length === 0 && !isApplying) throw runNotFound(run.run_id);
    const reverting = new Set([by, ...waiting]);
    const isReverting = entries.some(({ import_id }) => reverting.has(importHolder(import_id)));
    const isBeingReverted = isReverting || (revert !== undefined && revert.completed_at === undefined);
    if (isProcessing || isApplying || isBeingReverted)
      throw new RequestRejected(
        'run_not_terminal',
        'An import of this run is still processing, its plan is being applied, or it is being taken back. Wait until that has ended, then sign.',
      );
    const { kid, jwk } = await services.evidenceSigner.publicKey();
    // The keys of the stack belong to no company.
    await acrossCompanies(() => services.stores.evidenceKeys.publish({ kid, jwk }));
    const payload = {
      iss: services.parties.issuer,
      iat: secondsOf(services.clock.nowMs()),
      ...run,
      version: services.version,
      signed_by: signerOf(request.caller),
      reason,
      ...(statement !== undefined && { statement }),
      plans,
      counts: countsOfRun(entries),
      imports_digest: digestOf(entries),
      imports: entries.length,
    };
    const evidence = await signJws({ typ: TYPE, kid }, payload, services.evidenceSigner);
    return { statusCode: 200, body: { evidence } };
  },
);

const signerOf = (caller: Bearer) =>
  'client' in caller
    ? { client_id: caller.client.client_id, name: caller.client.name }
    : { user_id: caller.user.user_id, email: caller.user.email };

/** No token has this type (RFC 8725, section 3.11). */
const TYPE = 'migration-evidence+jwt';

/** Logins do not need this key: only evidence waits for an operator. */
function keyUnusable(): never {
  throw new RequestRejected(
    'temporarily_unavailable',
    'The key that signs evidence is disabled or deleted. An operator of the service must enable it; then sign again.',
  );
}
