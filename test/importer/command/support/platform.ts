/** The whole service in memory with the sample company, behind the client of the command. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type HttpRequest,
  type HttpResponse,
  type Import,
  memoryTokenStore,
  MigrationClient,
  ServiceError,
} from '../../../../bin/importer/client/index.ts';
import { recordSetOf } from '../../../../bin/importer/engine/apply/record-set.ts';
import {
  NO_JOURNAL,
  type PassOutcome,
  previewOf,
  sendDryRuns,
} from '../../../../bin/importer/engine/run/import-run.ts';
import { applyPlan, planOf, resultsOf } from '../../../../bin/importer/engine/run/plan-run.ts';
import { surveyOf, type Survey } from '../../../../bin/importer/engine/run/survey.ts';
import { openRecordFile, type RecordFileOptions } from '../../../../bin/importer/command/files/records.ts';
import { type Preview, PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import { FENCE_MS } from '../../../../functions/reverts/steps.ts';
import { loadData } from '../../../../functions/platform/load-data.ts';
import { ROUTES } from '../../../../functions/shared/routes.ts';
import { createWorld, type World } from '../../../kit/world.ts';
import { sendingTo } from '../../../security/support/world.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../../lib/sandbox/sample.json');
const LOGIN = { base_url: 'http://x', auth_base_url: 'http://x', company_id: 'acme', email: 'admin@acme.test' };

/** The sample company without organic progress, so that an end state is that of the file alone. */
function platformData(): Buffer {
  const data = JSON.parse(readFileSync(SAMPLE, 'utf8'));
  return Buffer.from(JSON.stringify({ ...data, progress: [] }));
}

export const SECOND_ADMIN = 'second@acme.test';

/** The same company with another administrator, whose id is 99. */
export function adminsData(): Buffer {
  const data = JSON.parse(platformData().toString());
  const [admin] = data.users;
  return Buffer.from(
    JSON.stringify({ ...data, users: [...data.users, { ...admin, id: 99, email: SECOND_ADMIN, name: 'Second' }] }),
  );
}

/** Of every import of files. */
export const RUN = 'history-2024';

export type Platform = Awaited<ReturnType<typeof createPlatform>>;

/** @param data of the platform, in the form of the sandbox file */
export async function createPlatform(data: Buffer = platformData(), world: World = createWorld()) {
  const loaded = await loadData(data, world.services);
  if (loaded.status === 'refused') throw new Error(JSON.stringify(loaded));
  const send = sendingTo(world.services);
  const processing = { held: false };
  const transport = async <Body>({ method, url, headers = {}, body }: HttpRequest): Promise<HttpResponse<Body>> => {
    const { pathname, searchParams } = new URL(url);
    const isForm = body instanceof URLSearchParams;
    const found = routeOf(method, pathname);
    const response = await send({
      ...found,
      query: Object.fromEntries(searchParams),
      headers: { ...headers, 'content-type': `application/${isForm ? 'x-www-form-urlencoded' : 'json'}` },
      ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
    });
    if (!processing.held) await world.deliver();
    // Between their steps a revert waits for chunks that may still be running, and an application for its imports.
    if (world.revertMessages.length + world.applicationMessages.length > 0) world.clock.now += FENCE_MS;
    const received: unknown = response.text === '' ? null : JSON.parse(response.text);
    if (response.status >= 400) throw new ServiceError(response.status, received);
    return {
      status: response.status,
      body: received as Body,
      headers: new Headers(response.headers),
      retryAfterSeconds: 0,
    };
  };
  /** A client of this administrator. */
  const signedIn = async (email: string): Promise<MigrationClient> => {
    const client = new MigrationClient({
      baseUrl: LOGIN.base_url,
      company_id: LOGIN.company_id,
      tokens: memoryTokenStore(),
      transport,
      now: () => world.clock.now,
      retry: { patienceMs: 0 },
    });
    await client.session.login({ email, password: 'changeme' });
    return client;
  };
  const client = await signedIn(LOGIN.email);
  return { world, client, processing, transport, signedIn };
}

function routeOf(method: string, pathname: string) {
  for (const route of ROUTES) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const found = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
    if (route.method === method && found !== null)
      return {
        route,
        path: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')])),
      };
  }
  throw new Error(`no route ${method} ${pathname}`);
}

export interface Imported {
  readonly survey: Survey;
  readonly preview: Preview;
  readonly dry: PassOutcome;
  readonly real: PassOutcome;
  /** Progress afterwards, by `ben.castillo 101`: only values that differ from an untouched course. */
  readonly endState: Readonly<Record<string, object>>;
}

export async function importFiles(...given: Parameters<typeof runFiles>): Promise<Imported> {
  const [platform] = given;
  const { real, ...run } = await runFiles(...given);
  const ids = real.chunks.flatMap(({ import_id }) => import_id ?? []);
  const imports = await Promise.all(ids.map((id) => platform.client.getImport(id)));
  return { ...run, real, endState: await endStateOf(platform, imports) };
}

export async function runFiles(
  platform: Platform,
  files: readonly string[],
  options: RecordFileOptions = {},
  parallel = 1,
): Promise<Omit<Imported, 'endState'>> {
  const { client } = platform;
  const sources = await Promise.all(files.map((file) => openRecordFile(file, options)));
  const set = await recordSetOf(sources, async () => client);
  const preview = new PreviewBuilder(platform.world.clock.now);
  const survey = await surveyOf(set, { preview });
  const run = {
    service: client,
    company_id: LOGIN.company_id,
    set,
    survey,
    preview,
    journal: NO_JOURNAL,
    parallel,
  };
  let ids = 0;
  const ambient = { newId: () => `attempt ${(ids += 1)}`, now: () => platform.world.clock.now, asked: RUN };
  const dry = await sendDryRuns(run, ambient);
  const shown = previewOf(run);
  const sent = dry.chunks.some(({ import_id }) => import_id !== null);
  const real = sent ? await resultsOf(run, dry, await applyPlan(client, await planOf(client, dry))) : dry;
  return { survey, preview: shown, dry, real };
}

async function endStateOf({ client }: Platform, imports: readonly Import[]): Promise<Record<string, object>> {
  const { users } = JSON.parse(readFileSync(SAMPLE, 'utf8')) as { users: { id: number; email: string }[] };
  const states = new Map<string, object>();
  const today = new Set<string>(imports.map(({ created_at }) => created_at));
  for (const { external_record_id, progress } of imports.flatMap(({ records }) => records)) {
    if (progress === null || external_record_id === null) continue;
    const { effective } = await client.getRecord(external_record_id);
    const learner = users.find(({ id }) => id === progress.user_id)?.email.split('@')[0] ?? '';
    states.set(`${learner} ${progress.platform_course_id}`, plainState(effective as never, today));
  }
  return Object.fromEntries([...states].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Effective {
  readonly completion_pct: number;
  readonly approved_course: number;
  readonly certified_at: string | null;
  readonly started_at: string | null;
  readonly last_activity_at: string | null;
  readonly completed_at: string | null;
  readonly classes: readonly { readonly platform_class_id: number; readonly viewed_at: string }[];
}

/** The percentage, dates without a midnight, and `today` for a date that the file does not have. */
function plainState(effective: Effective, today: ReadonlySet<string>): object {
  const plain = (date: string | null): string | undefined => {
    if (date === null) return undefined;
    return today.has(date)
      ? 'today'
      : date
          .replace(/T00:00:00\.000Z$/, '')
          .replace(/:00\.000Z$/, 'Z')
          .replace(/\.000Z$/, 'Z');
  };
  const classes = effective.classes.map((each) => [each.platform_class_id, plain(each.viewed_at)]);
  const state = {
    pct: effective.completion_pct,
    started: plain(effective.started_at),
    last: plain(effective.last_activity_at),
    completed: plain(effective.completed_at),
    certified: plain(effective.certified_at),
    ...(classes.length === 0 ? {} : { classes: Object.fromEntries(classes) }),
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}
