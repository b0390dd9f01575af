/** Makes our own handlers emit the metrics of the alarms: one scenario a metric, as often as its threshold requires. */
import type { SQSEvent } from 'aws-lambda';
import { signerOf } from '../../../functions/auth/kms-signer.ts';
import { handler as cancel } from '../../../functions/handlers/cancel-import.ts';
import { handler as listMappings } from '../../../functions/handlers/list-course-mappings.ts';
import { handler as getToken } from '../../../functions/handlers/get-token.ts';
import { handler as refreshToken } from '../../../functions/handlers/refresh-token.ts';
import { openSession } from '../../../functions/auth/sessions.ts';
import { handler as login } from '../../../functions/handlers/login.ts';
import { handler as signIn } from '../../../functions/handlers/sign-in.ts';
import { courseMemory } from '../../../functions/catalog/course-memory.ts';
import { processChunks } from '../../../functions/handlers/process-chunk.ts';
import { watch } from '../../../functions/handlers/watchdog.ts';
import { publicOperation } from '../../../functions/http/chain.ts';
import { type ApiRequest, type CompanyRequest, RequestRejected } from '../../../functions/http/types.ts';
import { continueRevert } from '../../../functions/reverts/steps.ts';
import { reportChunk } from '../../../functions/imports/process.ts';
import { TemporarilyUnavailable } from '../../../functions/runtime/faults.ts';
import { REJECTIONS, WARNINGS, type MetricName } from '../../../functions/runtime/metrics.ts';
import type { Telemetry } from '../../../functions/runtime/telemetry.ts';
import { secureRandom } from '../../../functions/runtime/system.ts';
import type { Services } from '../../kit/world.ts';
import type { ImportIds, ImportItem } from '../../../functions/shared/model.ts';
import { importItem } from '../../dynamodb/samples.ts';
import { apiEvent, CONTEXT, NO_BODY, posted, withBody } from '../../kit/api-event.ts';
import { ADMIN, authServices } from '../../kit/auth-services.ts';

const NOW_MS = Date.UTC(2026, 0, 2);
const clock = { nowMs: () => NOW_MS };
const ago = (hours: number): string => new Date(NOW_MS - hours * 3_600_000).toISOString();

type Scenario = (telemetry: Telemetry, times: number) => Promise<void>;

export const SCENARIOS: Readonly<Partial<Record<MetricName, Scenario>>> = {
  ImportsOpen: (telemetry) => watching(telemetry, [OPEN]),
  ImportsPastDue: (telemetry) => watching(telemetry, [OPEN]),
  ImportsStuck: (telemetry) => watching(telemetry, [{ ...OPEN, resends: 3 }]),
  ImportsAbandoned: (telemetry) => watching(telemetry, [{ ...OPEN, created_at: ago(25), closing_at: ago(1) }]),
  ChunksResent: (telemetry) => watching(telemetry, [OPEN]),
  ChunksFailed: (telemetry, times) => delivering(telemetry, times, () => Promise.reject(new Error('a fault'))),
  ChunksRetried: (telemetry, times) => delivering(telemetry, times, async () => ({ import: SETTLED })),
  RecordsProcessingFailed: (telemetry, times) =>
    delivering(telemetry, times, async () => ({ import: OPEN, payload: ONE_RECORD, gate: { epoch: 0 } })),
  ForeignMessages: (telemetry, times) => delivering(telemetry, times, undefined, '{"not":"ours"}'),
  ImportsCancelled: cancelling,
  ImportsReverted: async (telemetry, times) => {
    for (let time = 0; time < times; time += 1) await reverting(telemetry);
  },
  SigningKeyUnusable: async (telemetry, times) => {
    const disabled = Object.assign(new Error('disabled'), { name: 'DisabledException' });
    const count = () => telemetry.count('SigningKeyUnusable');
    const signer = signerOf({ send: () => Promise.reject(disabled) } as never, 'key', count);
    for (let time = 0; time < times; time += 1)
      await answering(telemetry, 1, await signer.sign(Buffer.from('token')).catch((error) => error));
  },
  InternalErrors: (telemetry, times) => answering(telemetry, times, new Error('a fault')),
  TemporarilyUnavailable: (telemetry, times) => answering(telemetry, times, new TemporarilyUnavailable('throttled')),
  LoginsRefused: (telemetry, times) => loggingIn(telemetry, times),
  CallsThrottled: (telemetry, times) => answering(telemetry, times, new RequestRejected('too_many_requests', 'Later.')),
  RecordsRejected: async (telemetry, times) => {
    const errors = [{ error_code: 'user_not_found', message: '' }];
    report(
      telemetry,
      Array.from({ length: times }, () => ({ errors, warnings: [] })),
    );
  },
  SpentTokensUsed: reusing,
  HistoryReads: reading,
  // A revert is twenty points.
  Suspicion: async (telemetry, times) => {
    for (let points = 0; points < times; points += 20) await reverting(telemetry);
  },
  // A read is one point.
  Attention: reading,
  // The first ten are refused.
  LoginsThrottled: (telemetry, times) => loggingIn(telemetry, times + 10, '192.0.2.7'),
  SignInsRefused: (telemetry, times) => signingIn(telemetry, times, 'invalid_grant'),
  SignInsFailed: (telemetry, times) => signingIn(telemetry, times, 'invalid_client'),
  TokensRefused: async (telemetry, times) => {
    const { services } = await authServices();
    const form = { grant_type: 'client_credentials' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const event = apiEvent({ method: 'POST', body: new URLSearchParams(form).toString(), headers });
    for (let time = 0; time < times; time += 1) await getToken.on({ ...services, telemetry })(event, CONTEXT);
  },
};

/** One record for each rejection and each warning, and one import for each way to end. */
export function reportEveryKind(telemetry: Telemetry): void {
  const results = [
    ...REJECTIONS.map((error_code) => ({ errors: [{ error_code, message: '' }], warnings: [] })),
    ...WARNINGS.map((warning_code) => ({ errors: [], warnings: [{ warning_code, message: '' }] })),
  ];
  for (const status of ['success', 'partial_success', 'error'] as const)
    report(telemetry, results, { ...SETTLED, status });
}

function report(
  telemetry: Telemetry,
  results: readonly { readonly errors: readonly object[] }[],
  settled?: ImportItem,
) {
  const plan = { records: [], planned: results.map((result, index) => ({ result: { ...result, index } })) };
  const failed = results.filter(({ errors }) => errors.length > 0).length;
  const summary = { ...SUMMARY, succeeded: results.length - failed, failed, failed_indexes: [] };
  const processed = { outcome: 'processed', summary, plan, settled };
  const message = { company_id: 'acme', import_id: 'i-1', chunk: 0, payload_hash: 'h' };
  const of = { message, processed, receives: 1, startedAtMs: NOW_MS, invocation: {} };
  reportChunk({ clock, telemetry }, of as unknown as Parameters<typeof reportChunk>[1]);
}

const OPEN: ImportItem = importItem('acme', {
  import_id: 'i-1',
  created_at: ago(1),
  total: 1,
  chunks: [{ first_index: 0, size: 1, payload_hash: 'h' }],
});
const SETTLED: ImportItem = { ...OPEN, status: 'success' };
const POISON = {
  get user() {
    throw new Error('quoted from the record');
  },
};
const ONE_RECORD = { first_index: 0, records: [POISON], duplicates: [], oversized: [] };
const SUMMARY = { succeeded: 0, failed: 1, with_warnings: 0, conflict: [], failed_indexes: [0] };

/** Stores that have only these imports, and accept every change to them. */
function stores(items: readonly ImportItem[], readChunk?: unknown): Services['stores'] {
  const summarised = { ...OPEN, summaries: { 0: SUMMARY } };
  const imports = {
    putReliances: async () => undefined,
    read: async (ids: ImportIds) => items.find(({ import_id }) => import_id === ids.import_id),
    readChunk,
    cancel: async () => ({ ...OPEN, cancelled_at: ago(0) }),
    countResend: async () => true,
    startClosing: async () => undefined,
    readPlans: async () => [undefined],
    readPayloads: async () => [undefined],
    putPlan: async (_: unknown, __: number, plan: unknown) => plan,
    setSummary: async () => summarised,
    settle: async () => ({ item: { ...summarised, status: 'error', completed_at: ago(0) }, settled: true }),
  };
  const progress = {
    courseHistories: async () => new Map(),
    historiesInSlices: async function* none() {},
    identities: async () => new Map(),
    claim: async () => new Map(),
    contribute: async () => [],
    freeUnused: async () => true,
  };
  const open = items.map(({ closing_at, ...item }) => ({
    ...item,
    due_at: ago(0),
    isClosing: closing_at !== undefined,
  }));
  const jobs = {
    listOpen: async () => open.map((each) => ({ kind: 'import', ...each })),
    readGate: async () => ({ epoch: 0 }),
    passGate: async () => undefined,
  };
  const archive = { putArchived: async () => undefined };
  return { imports, archive, progress, jobs } as unknown as Services['stores'];
}

const events = { send: async () => undefined };

const queue = { send: async () => undefined, postpone: async () => undefined };

async function watching(telemetry: Telemetry, items: readonly ImportItem[]): Promise<void> {
  const notices = { send: async () => undefined };
  await watch({}, CONTEXT, { clock, telemetry, queue, events, notices, stores: stores(items) });
}

const MESSAGE = JSON.stringify({
  kind: 'chunk',
  company_id: 'acme',
  import_id: 'i-1',
  chunk: 0,
  payload_hash: 'h',
  hops: 0,
});

async function delivering(
  telemetry: Telemetry,
  times: number,
  readChunk?: () => Promise<unknown>,
  body = MESSAGE,
): Promise<void> {
  const attributes = { ApproximateReceiveCount: '2', SenderId: 'sender' };
  const Records = Array.from({ length: times }, (_, at) => ({ messageId: String(at), body, attributes }));
  const services = { clock, telemetry, events, queue, memory: courseMemory(clock), stores: stores([OPEN], readChunk) };
  await processChunks({ Records } as unknown as SQSEvent, CONTEXT, services);
}

async function cancelling(telemetry: Telemetry): Promise<void> {
  const caller = { company: { company_id: OPEN.company_id } };
  const request = { caller, import: OPEN, basePath: '', ...NO_BODY } as unknown as CompanyRequest;
  await cancel.operation(request, {
    clock,
    telemetry,
    events,
    queue: { send: async () => undefined },
    stores: stores([{ ...OPEN, cancelled_at: ago(0) }]),
  } as unknown as Services);
  telemetry.flush();
}

/** A revert that has finished its work, and marks its import. */
async function reverting(telemetry: Telemetry): Promise<void> {
  const { company_id, import_id } = OPEN;
  const subject = { kind: 'import', company_id, import_id } as const;
  const revert = { subject, phase: 'opening' };
  const imports = { read: async () => OPEN, readAll: async () => [{ ...OPEN, reverted_at: null }] };
  const reverts = {
    read: async () => revert,
    advance: async (state: object, change: object) => ({ ...state, ...change }),
    markReverted: async () => true,
    finish: async (state: object) => ({ ...state, phase: 'done' }),
  };
  await continueRevert({ kind: 'revert', subject, hops: 0 }, {
    clock,
    telemetry,
    events,
    queue,
    stores: { ...stores([]), imports, reverts },
  } as unknown as Services);
  telemetry.flush();
}

/** Uses a refresh token that was spent long before. */
async function reusing(telemetry: Telemetry, times: number): Promise<void> {
  const { services, clock: time, admin } = await authServices();
  const { refresh_token } = await openSession(services, admin, time.now);
  const request = { ...withBody({ refreshToken: refresh_token }) } as unknown as ApiRequest;
  await refreshToken.operation(request, services);
  time.now += 60_000;
  for (let use = 0; use < times; use += 1)
    await refreshToken.operation(request, { ...services, telemetry }).catch(() => undefined);
  telemetry.flush();
}

async function reading(telemetry: Telemetry, times: number): Promise<void> {
  const { services, clock: time, admin } = await authServices();
  const { access_token } = await openSession(services, admin, time.now);
  const read = listMappings.on({ ...services, telemetry });
  const event = apiEvent({
    path: { company_id: admin.company_id },
    headers: { authorization: `Bearer ${access_token}` },
  });
  for (let page = 0; page < times; page += 1) await read(event, CONTEXT);
}

async function answering(telemetry: Telemetry, times: number, fault: Error): Promise<void> {
  const handler = publicOperation(
    () => ({ clock, telemetry, random: secureRandom }),
    () => Promise.reject(fault),
  );
  for (let time = 0; time < times; time += 1) await handler(apiEvent(), CONTEXT);
}

/** With a code that the provider refuses for this reason. */
async function signingIn(telemetry: Telemetry, times: number, refused: string): Promise<void> {
  const { services } = await authServices();
  const provider = { exchange: async () => ({ refused }) };
  const body = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n'.repeat(16), redirect_uri: 'http://127.0.0.1:1/' };
  for (let time = 0; time < times; time += 1)
    await signIn.on({ ...services, provider, telemetry })(apiEvent(posted(body)), CONTEXT);
}

/** Without an address, each login comes from another one. */
async function loggingIn(telemetry: Telemetry, times: number, address?: string): Promise<void> {
  const { services } = await authServices();
  for (let time = 0; time < times; time += 1) {
    const request = {
      ...withBody({ email: ADMIN.email, password: 'wrong' }),
      sourceIp: address ?? `192.0.2.${time}`,
    } as unknown as ApiRequest;
    await login.operation(request, { ...services, telemetry }).catch(() => undefined);
  }
  telemetry.flush();
}
