/** Least-privilege grants per function, by call and by kind of item. `test/deploy` compares them with the recorded calls. */
import { INDEX } from '../../functions/dynamodb/table.ts';
import type { FunctionName } from '../function-sources.ts';
import { SIGNS, authorised, counting, type FunctionGrants, type TableGrants } from './function-grants.ts';
import type { ItemKind } from './item-kinds.ts';

const FACTS_OF_RECORDS = ['catalog', 'userMappings', 'courseMappings', 'progress', 'identity'] as const;
/** The facts of the platform about its entities; a user and a course are written with the version of their fact. */
const APPLIES_FACTS = {
  BatchGetItem: ['fact', 'user', 'client'],
  UpdateItem: ['company', 'progress'],
  PutItem: ['fact', 'user', 'login', 'catalog', 'client'],
  DeleteItem: ['user', 'login', 'provider', 'catalog'],
} as const;
const IMPORTS_OF_COMPANY = { name: INDEX.importsByCompany.name, partitions: '*#imports' };
const RUNS_OF_COMPANY = { name: INDEX.importsByCompany.name, partitions: '*#runs' };
const IMPORTS_OF_RUN = { name: INDEX.importsByRun.name, partitions: '*#run#*' };
const SESSIONS_OF_USER = { name: INDEX.importsByCompany.name, partitions: '*#sessions#*' };
const OPEN_IMPORTS = { name: INDEX.openImports.name, partitions: 'open' };
const OF_IMPORTS = ['import'] as const;
/** What is kept of an import, and the names that lead to it (§4.12). */
const OF_ARCHIVE = ['import', 'archived'] as const;
/** `gate`: an import that replaces is noted there while it is open. */
const CANCELS: TableGrants = {
  GetItem: OF_IMPORTS,
  BatchGetItem: OF_IMPORTS,
  PutItem: OF_IMPORTS,
  UpdateItem: ['import', 'gate'],
};
/** What a reader has summed of a run is kept for the next one. */
const READS_RUNS: TableGrants = {
  GetItem: ['run', 'plan', 'runCounts'],
  BatchGetItem: ['import'],
  UpdateItem: ['runCounts'],
};

const READS_PLANS: TableGrants = { GetItem: ['run', 'plan'] };
/** A run, its document and its plan change together. */
const CHANGES_RUNS: FunctionGrants = { writesTogether: ['PutItem', 'UpdateItem', 'DeleteItem'] };
/** What a revert leaves of a learner's progress is computed with the course. */
const READS_REVERTS: TableGrants = {
  GetItem: ['import'],
  BatchGetItem: ['import', 'progress', 'catalog'],
  Query: ['import'],
};
/** The request of a revert closes the gate in the same transaction. */
const requestingReverts = (
  of: 'import' | 'run',
  reads: readonly ItemKind[] = [],
  more: FunctionGrants = {},
): FunctionGrants =>
  authorised(
    { ...READS_REVERTS, GetItem: ['import', 'run', 'gate', ...reads], PutItem: [of], UpdateItem: [of, 'gate'] },
    { sendsChunks: true, writesTogether: ['PutItem', 'UpdateItem'], ...more },
  );

/** A function without grants does not compile. */
const GRANTS: Readonly<Record<FunctionName, FunctionGrants>> = {
  login: {
    ...SIGNS,
    table: {
      // `signingKeys`: whether the published key is still there.
      GetItem: ['login', 'throttle', 'signingKeys'],
      BatchGetItem: ['user', 'throttle', 'session'],
      PutItem: ['session', 'throttle'],
      // `session`: the oldest ones of a user end.
      BatchWriteItem: ['session'],
      // `user`: to hash the password again when the cost parameters have changed.
      UpdateItem: ['throttle', 'signingKeys', 'user'],
      DeleteItem: ['throttle'],
    },
    indexes: [SESSIONS_OF_USER],
  },
  'get-sign-in': { knowsSignIn: true },
  // It alone reads the secret of the client.
  'sign-in': {
    ...SIGNS,
    knowsSignIn: true,
    readsClientSecret: true,
    table: {
      GetItem: ['login', 'throttle', 'provider', 'signingKeys'],
      BatchGetItem: ['user', 'throttle', 'session'],
      PutItem: ['session', 'throttle', 'provider'],
      BatchWriteItem: ['session'],
      UpdateItem: ['throttle', 'signingKeys'],
    },
    indexes: [SESSIONS_OF_USER],
  },
  'get-profile': authorised(),
  'refresh-token': {
    ...SIGNS,
    table: {
      GetItem: ['signingKeys'],
      // A refresh token is a person's.
      BatchGetItem: ['session', 'user', 'company'],
      PutItem: ['session'],
      UpdateItem: ['session', 'signingKeys'],
    },
  },
  logout: authorised({ UpdateItem: ['session'] }),
  'get-token': {
    ...SIGNS,
    table: { GetItem: ['client', 'signingKeys'], PutItem: ['throttle'], UpdateItem: ['signingKeys'] },
  },
  'get-authorization-server': { knowsTokens: true },
  'get-jwks': { table: { Query: ['signingKeys'] } },
  'get-evidence-jwks': { table: { Query: ['evidenceKeys'] } },
  'get-openapi': {},
  'list-courses': counting({ Query: ['catalog'] }),
  'resolve-users': authorised(),
  'register-user-mappings': counting({
    BatchGetItem: ['userMappings'],
    PutItem: ['userMappings'],
    BatchWriteItem: ['userMappings'],
  }),
  'delete-user-mapping': authorised({ PutItem: ['userMappings'], DeleteItem: ['userMappings'] }),
  'list-user-mappings': counting({ Query: ['userMappings'] }),
  'register-course-mappings': counting({
    BatchGetItem: ['catalog', 'courseMappings'],
    BatchWriteItem: ['courseMappings'],
  }),
  'delete-course-mapping': authorised({ DeleteItem: ['courseMappings'] }),
  'list-course-mappings': counting({ Query: ['courseMappings'] }),
  'start-import': counting(
    {
      BatchGetItem: ['import', ...FACTS_OF_RECORDS],
      BatchWriteItem: ['import'],
      GetItem: ['import', 'userMappings'],
      PutItem: ['import', 'run'],
      // `run`: a real import ends its being a draft.
      UpdateItem: ['gate', 'run'],
    },
    { sendsChunks: true, knowsRetention: true, knowsApproval: true },
  ),
  'list-imports': authorised(
    { BatchGetItem: ['import'] },
    {
      indexes: [IMPORTS_OF_COMPANY, { name: INDEX.importsByStatus.name, partitions: '*#imports#*' }, IMPORTS_OF_RUN],
    },
  ),
  'get-import': counting({ BatchGetItem: ['import'] }),
  'list-import-records': counting({ BatchGetItem: ['import'] }),
  'cancel-import': authorised(CANCELS, { sendsChunks: true, sendsEvents: true }),
  'list-runs': authorised(
    { ...READS_RUNS, BatchGetItem: ['import', 'run', 'runCounts', 'plan'] },
    {
      indexes: [RUNS_OF_COMPANY, IMPORTS_OF_RUN],
    },
  ),
  'get-run': authorised(READS_RUNS, { indexes: [IMPORTS_OF_RUN] }),
  'put-run': counting(
    {
      ...READS_RUNS,
      BatchGetItem: ['import', 'fact', 'user'],
      PutItem: ['run'],
      UpdateItem: ['run', 'runCounts'],
      DeleteItem: ['run'],
    },
    { ...CHANGES_RUNS, indexes: [IMPORTS_OF_RUN] },
  ),
  'delete-run': authorised(
    { ...READS_PLANS, BatchGetItem: ['plan'], Query: ['run'], DeleteItem: ['run'], UpdateItem: ['plan'] },
    CHANGES_RUNS,
  ),
  'make-plan': authorised(
    {
      GetItem: ['run', 'plan'],
      BatchGetItem: ['import'],
      BatchWriteItem: ['plan'],
      PutItem: ['plan'],
      UpdateItem: ['run', 'plan'],
    },
    CHANGES_RUNS,
  ),
  'get-plan': authorised(READS_PLANS),
  'delete-plan': authorised({ ...READS_PLANS, UpdateItem: ['plan'] }),
  'approve-plan': authorised({ ...READS_PLANS, UpdateItem: ['plan'] }, { knowsApproval: true }),
  'apply-plan': authorised(
    { ...READS_RUNS, PutItem: ['plan', 'run'], UpdateItem: ['run', 'runCounts'] },
    { ...CHANGES_RUNS, sendsChunks: true, knowsApproval: true, indexes: [IMPORTS_OF_RUN] },
  ),
  'list-plan-records': counting({ ...READS_PLANS, BatchGetItem: ['import', 'plan'] }),
  'list-run-records': counting(READS_RUNS, { indexes: [IMPORTS_OF_RUN] }),
  'cancel-run': authorised(
    {
      ...CANCELS,
      GetItem: [...OF_IMPORTS, 'run', 'plan', 'runCounts'],
      UpdateItem: ['import', 'gate', 'plan', 'runCounts'],
    },
    { sendsChunks: true, sendsEvents: true, indexes: [IMPORTS_OF_RUN] },
  ),
  'sign-evidence': authorised(
    { BatchGetItem: ['import', 'plan'], GetItem: ['run', 'gate'], Query: ['run'], PutItem: ['evidenceKeys'] },
    { attests: true, indexes: [IMPORTS_OF_RUN] },
  ),
  'list-evidence': authorised({ BatchGetItem: ['import'] }, { indexes: [IMPORTS_OF_RUN] }),
  'revert-import': requestingReverts('import'),
  'get-revert': authorised(READS_REVERTS),
  'revert-run': requestingReverts('run', ['plan'], { indexes: [IMPORTS_OF_RUN] }),
  'get-run-revert': authorised({ ...READS_REVERTS, GetItem: ['import', 'run'] }, { indexes: [IMPORTS_OF_RUN] }),
  'list-archive': counting(
    { BatchGetItem: ['import', 'identity', 'progress'], Query: ['archived'] },
    { indexes: [IMPORTS_OF_COMPANY, IMPORTS_OF_RUN] },
  ),
  'get-record': counting({ BatchGetItem: ['identity', 'progress', 'catalog'] }),
  // `identity`, `import`: what is kept in the archive, and no later import has stored.
  'get-learner': counting({
    BatchGetItem: ['user', 'fact', 'userMappings', 'catalog', 'import', 'identity', 'progress'],
    Query: ['progress', 'archived'],
  }),
  'route-not-found': {},
  'process-chunk': {
    table: {
      BatchGetItem: ['import', 'run', 'user', 'gate', 'plan', ...FACTS_OF_RECORDS],
      BatchWriteItem: [...OF_ARCHIVE, 'userMappings', 'session', 'provider'],
      GetItem: ['import', 'run', 'gate', 'erasure', 'plan', 'userMappings'],
      PutItem: ['import', 'userMappings'],
      UpdateItem: ['import', 'identity', 'progress', 'run', 'gate', 'erasure', 'fact', 'plan', 'quota'],
      DeleteItem: ['progress', 'erasure'],
      Query: ['import', 'userMappings', 'progress', 'run'],
      PartiQLInsert: ['identity', 'progress'],
      PartiQLUpdate: ['progress'],
      PartiQLDelete: ['identity'],
    },
    // Chunks that waited for a revert are sent again. An erasure reads every import and run, and finds the sessions of the person.
    indexes: [OPEN_IMPORTS, IMPORTS_OF_COMPANY, RUNS_OF_COMPANY, IMPORTS_OF_RUN, SESSIONS_OF_USER],
    sendsChunks: true,
    sendsEvents: true,
    knowsRetention: true,
  },
  watchdog: {
    table: {
      GetItem: ['import', 'run', 'runCounts', 'plan', 'gate'],
      BatchGetItem: ['import', 'identity', 'progress'],
      PutItem: ['import'],
      // What an abandoned chunk archives.
      BatchWriteItem: ['archived'],
      UpdateItem: ['import', 'identity', 'run', 'runCounts', 'plan', 'gate'],
      DeleteItem: ['identity'],
    },
    // The notice of a run has its counts.
    indexes: [OPEN_IMPORTS, IMPORTS_OF_RUN],
    sendsChunks: true,
    sendsEvents: true,
  },
  // To whom a notice goes; `lib/processing/notices.ts` grants the sending.
  'send-notices': { table: { BatchGetItem: ['fact', 'user'] } },
  'load-sandbox-data': {
    writesTogether: ['PutItem', 'DeleteItem'],
    table: {
      ...APPLIES_FACTS,
      GetItem: ['dataFile'],
      BatchGetItem: [...APPLIES_FACTS.BatchGetItem, 'login', 'dataFile'],
      BatchWriteItem: ['dataFile'],
      PutItem: [...APPLIES_FACTS.PutItem, 'dataFile'],
    },
  },
  'check-settings': { readsSettings: true },
  'serve-page': { knowsApproval: true, knowsMail: true },
  canary: {},
  // It is in the account stack, with a role of its own.
  'check-fleet': {},
  intake: {
    sendsFacts: true,
    writesTogether: ['PutItem', 'DeleteItem'],
    // All that is held of a person is read for an export.
    table: {
      ...APPLIES_FACTS,
      GetItem: ['import', 'provider'],
      // `company`: its key, by which the receipt of someone without an account is found.
      BatchGetItem: [...APPLIES_FACTS.BatchGetItem, 'company', 'session', 'userMappings', 'catalog', 'import'],
      Query: ['userMappings', 'progress'],
      PutItem: [...APPLIES_FACTS.PutItem, 'erasure'],
    },
    indexes: [IMPORTS_OF_COMPANY, SESSIONS_OF_USER],
  },
};

/** The grants of one function, without those of others that share its role. */
export const grantsOf = (name: FunctionName): FunctionGrants => GRANTS[name];
