/**
 * The most that an attacker can cost in an hour under the default limits of a stack: the rates of the gateway and the quotas of a
 * company, times the counted cost of the most expensive calls.
 */
import type { Context } from 'aws-lambda';
import document from '../../docs/openapi.json' with { type: 'json' };
import { openSession } from '../../functions/auth/sessions.ts';
import { getJwks } from '../../functions/handlers/get-jwks.ts';
import { getImport } from '../../functions/handlers/get-import.ts';
import { listImportRecords } from '../../functions/handlers/list-import-records.ts';
import { login } from '../../functions/handlers/login.ts';
import { refreshToken } from '../../functions/handlers/refresh-token.ts';
import { registerUserMappings } from '../../functions/handlers/register-user-mappings.ts';
import { type ApiHandler, publicOperation } from '../../functions/http/chain.ts';
import { importDownload, migrationOperation } from '../../functions/http/operations.ts';
import { COUNTED_REPORT_BYTES, HOURLY_QUOTAS } from '../../functions/shared/limits.ts';
import { ROUTES, type RouteName } from '../../functions/shared/routes.ts';
import { resourcesOfType } from '../../bin/local/template.ts';
import { apiEvent, type EventParts, posted } from '../kit/api-event.ts';
import { Dice } from '../kit/dice.ts';
import { templateOf } from '../kit/template.ts';
import { type Engines, worldOf } from './cloud.ts';
import { measureImport, type MeasuredImport } from './measure-import.ts';
import { readUnitsOf, type Tally, writeUnitsOf } from './meter/tally.ts';
import prices from './prices.json' with { type: 'json' };
import { PLATFORM } from './scenarios.ts';
import { ADMIN, COMPANY_ID, importOf, RECORDS_PER_IMPORT } from './workload.ts';

const HOUR_SECONDS = 3600;
const GB = 1e9;
/** Computing beside the calls to AWS: of a small request, of a large one, and of a password hash at Lambda's full core. */
const COMPUTING_MS = { small: 5, large: 60, hash: 211 };
/** An index entry of a run, eventually consistent: a request reads 2,500 of them for 1 MB. */
const RUN_UNITS_PER_IMPORT = 1_000_000 / 4096 / 2 / 2500;
const SEARCHING: readonly RouteName[] = [
  'get-run',
  'list-runs',
  'cancel-run',
  'get-record',
  'revert-import',
  'revert-run',
];
/** The largest file of the page, uncompressed. */
const PAGE_BYTES = 300_000;
/** Signatures of a login or a refresh. */
const SIGNATURES = 2;
const CONTEXT = { getRemainingTimeInMillis: () => 20_000 } as Context;

/** A call, its cost, and its highest rate a second. */
interface Kind {
  readonly name: string;
  readonly dollars: number;
  readonly perSecond: number;
}

interface Rates {
  /** Of all methods together. */
  readonly all: number;
  /** Of a method without a rate of its own. */
  readonly others: number;
  readonly of: (route: RouteName) => number;
}

/** As the template of a production stack with a page sets them: API Gateway has a rate for each method, and none for their sum. */
function gatewayRates(): Rates {
  const template = templateOf({ company: 'acme', stage: 'production', page: true });
  const [[, stage] = []] = resourcesOfType(template, 'AWS::ApiGateway::Stage');
  const settings = stage?.['MethodSettings'] as {
    ResourcePath: string;
    HttpMethod: string;
    ThrottlingRateLimit: number;
  }[];
  const rateOf = (path: string, method: string) =>
    settings.find(
      ({ ResourcePath, HttpMethod }) => ResourcePath.replaceAll('~1', '/') === path && HttpMethod === method,
    )?.ThrottlingRateLimit;
  const others = rateOf('/*', '*') ?? Number.NaN;
  const methods = resourcesOfType(template, 'AWS::ApiGateway::Method').length;
  const named = settings.filter(({ ResourcePath }) => ResourcePath !== '/*');
  const sum = named.reduce((all, { ThrottlingRateLimit }) => all + ThrottlingRateLimit, 0);
  const of = (name: RouteName) => {
    const { method, path } = ROUTES.find((route) => route.name === name) ?? { method: '', path: '' };
    return rateOf(`/${path}`, method) ?? others;
  };
  return { all: sum + others * (methods - named.length), others, of };
}

/** The highest cost of so many requests a second: the most expensive calls first, each at its own rate. */
function dearest(kinds: readonly Kind[], perSecond: number): Record<string, number> {
  let left = perSecond;
  const parts: Record<string, number> = {};
  for (const kind of kinds.toSorted((a, b) => b.dollars - a.dollars)) {
    const taken = Math.min(left, kind.perSecond);
    left -= taken;
    if (taken > 0) parts[kind.name] = taken * kind.dollars * HOUR_SECONDS;
  }
  return parts;
}

interface Counted {
  readonly tally: Tally;
  readonly answer_bytes: number;
  readonly memoryMb: number;
  readonly computing_ms?: number;
  readonly signatures?: number;
}

/** One request, all in, its response uncompressed and paid for by the byte. */
function dollarsOf({
  tally,
  answer_bytes,
  memoryMb,
  computing_ms = COMPUTING_MS.small,
  signatures = 0,
}: Counted): number {
  return (
    prices.http_request.price +
    prices.lambda_request.price +
    unitsAndTime(tally, memoryMb, computing_ms) +
    (answer_bytes / GB) * prices.transfer_gb.price +
    signatures * prices.signature.price
  );
}

const unitsAndTime = (tally: Tally, memoryMb: number, computing_ms: number): number =>
  writeUnitsOf(tally) * prices.write_unit.price +
  readUnitsOf(tally) * prices.read_unit.price +
  ((tally.ms + computing_ms) / 1000) * (memoryMb / 1024) * prices.lambda_gb_second.price +
  (tally.log_bytes / GB) * prices.log_gb.price;

/** Dollars an hour: of an anonymous caller, of one stolen admin token, and of each part of the two. */
export async function measureAbuse(engines: Engines): Promise<Readonly<Record<string, number>>> {
  const world = await worldOf(engines, PLATFORM);
  const { meter, services } = world;
  const source = () => services;
  const rates = gatewayRates();
  const count = async (name: RouteName, handler: ApiHandler, parts: EventParts, status: number): Promise<Counted> => {
    const { method, path: rawPath } = ROUTES.find((route) => route.name === name) ?? { method: 'GET', path: '' };
    const { tally, value } = await meter.measure(() => handler(apiEvent({ rawPath, ...parts, method }), CONTEXT));
    if (value.statusCode !== status) throw new Error(`${name} answered ${value.statusCode}: ${value.body}`);
    return { tally, answer_bytes: Buffer.byteLength(value.body), memoryMb: engines.memoryMb(name) };
  };
  const kind = (name: RouteName, counted: Counted): Kind => ({
    name,
    dollars: dollarsOf(counted),
    perSecond: rates.of(name),
  });
  try {
    const { access_token, refresh_token } = await openSession(services, ADMIN, services.clock.nowMs());
    const authorization = { authorization: `Bearer ${access_token}` };
    const inCompany = { company_id: COMPANY_ID };

    const guess = posted({ email: 'nobody@bench.example', password: 'guess' });
    const nothing = await count('get-jwks', publicOperation(getJwks, source), {}, 200);
    const openapi = { ...nothing, answer_bytes: JSON.stringify(document).length, computing_ms: COMPUTING_MS.large };
    const guessed = await count('login', publicOperation(login, source), guess, 401);
    const anonymous = [
      kind('get-openapi', { ...openapi, memoryMb: engines.memoryMb('get-openapi') }),
      kind('login', { ...guessed, computing_ms: COMPUTING_MS.hash }),
      { name: 'the page', dollars: dollarsOf({ ...nothing, answer_bytes: PAGE_BYTES }), perSecond: 2 * rates.others },
      { name: 'any other call', dollars: dollarsOf(nothing), perSecond: rates.all },
    ];

    const small = await measureImport(world, importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { courses: 1 }));
    const classes = await measureImport(world, importOf({ learners: RECORDS_PER_IMPORT, courses: 1, classes: 100 }));
    const referenced = await measureImport(world, withReferences());
    const [{ import_id } = { import_id: '' }] = (await services.stores.imports.list(COMPANY_ID, 1)).items;
    const rehearsed = await measureImport(world, withReferences(), true);
    const report = importDownload(getImport, COUNTED_REPORT_BYTES, source);
    const page = importDownload(listImportRecords, 0, source);
    const ofImport = { headers: authorization, path: { ...inCompany, import_id } };
    const fetched = {
      ...(await count('get-import', report, ofImport, 200)),
      answer_bytes: COUNTED_REPORT_BYTES,
      computing_ms: COMPUTING_MS.large,
    };
    const listed = await count('list-import-records', page, { ...ofImport, query: { limit: '1' } }, 200);
    const refresh = posted({ refreshToken: refresh_token });
    const refreshed = await count('refresh-token', publicOperation(refreshToken, source), refresh, 201);
    const searched: Kind = {
      name: 'runs and audits',
      dollars: dollarsOf(listed) + HOURLY_QUOTAS.imports * RUN_UNITS_PER_IMPORT * prices.read_unit.price,
      perSecond: SEARCHING.reduce((sum, name) => sum + rates.of(name), 0),
    };
    const mappings = Array.from({ length: 500 }, (_, i) => ({
      external_user_id: `${i}`.padEnd(128, 'x'),
      email: 'learner-000001@bench.example',
    }));
    const mapped = await count(
      'register-user-mappings',
      migrationOperation(registerUserMappings, {}, source),
      { ...posted({ mappings }, authorization), path: inCompany },
      200,
    );

    const memory = { start: engines.memoryMb('start-import'), process: engines.memoryMb('process-chunk') };
    const imports = [small, classes, referenced, rehearsed].map((each) => sending(each, memory));
    imports.push({ bytes: JSON.stringify(mappings).length, dollars: dollarsOf(mapped) });
    const stolen = {
      'imports and mappings up to their quotas': dearestMix(imports),
      // A revert removes the writes of its import, so that it writes no more than the import.
      'reverts of them': HOURLY_QUOTAS.imports * writeUnitsOf(small.whole) * prices.write_unit.price,
      'downloads up to their bytes':
        (HOURLY_QUOTAS.download_bytes / GB) * prices.transfer_gb.price +
        (HOURLY_QUOTAS.download_bytes / 4096) * prices.read_unit.price,
      ...dearest(
        [
          kind('get-import', fetched),
          kind('list-import-records', { ...listed, computing_ms: COMPUTING_MS.large }),
          kind('refresh-token', { ...refreshed, signatures: SIGNATURES }),
          searched,
        ],
        rates.all,
      ),
    };
    const unknown = dearest(anonymous, rates.all);
    const parts = Object.fromEntries([
      ...Object.entries(unknown).map(([name, dollars]) => [`dollars an hour: anonymous: ${name}`, rounded(dollars)]),
      ...Object.entries(stolen).map(([name, dollars]) => [`dollars an hour: stolen token: ${name}`, rounded(dollars)]),
    ]) as Record<string, number>;
    return {
      ...parts,
      'dollars an hour: anonymous': rounded(sumOf(unknown)),
      'dollars an hour: stolen admin token': rounded(sumOf(stolen)),
    };
  } finally {
    await world.destroy();
  }
}

interface Sent {
  readonly bytes: number;
  readonly dollars: number;
}

/** The cost of accepting and processing an import, and the bytes that it counts as. */
function sending(
  { body_bytes, post, chunks, whole }: MeasuredImport,
  memoryMb: { start: number; process: number },
): Sent {
  const requests = prices.http_request.price + (1 + chunks.length) * prices.lambda_request.price;
  // A message is sent, received and deleted.
  const messages = 3 * whole.messages * prices.sqs_request.price;
  const processed = chunks.map((each) => unitsAndTime(each, memoryMb.process, COMPUTING_MS.large));
  const dollars =
    requests +
    messages +
    prices.event.price +
    unitsAndTime(post, memoryMb.start, COMPUTING_MS.large) +
    sumOf(processed);
  return { bytes: body_bytes, dollars };
}

/** The most expensive imports that the quotas of number and bytes admit: of one kind, or of two that use up both. */
function dearestMix(kinds: readonly Sent[]): number {
  const { imports: most, upload_bytes } = HOURLY_QUOTAS;
  const mixes = kinds.flatMap((one) =>
    kinds.map((other) => {
      const ofOther = (upload_bytes - most * one.bytes) / (other.bytes - one.bytes);
      const isMix = ofOther > 0 && ofOther < most;
      return isMix ? (most - ofOther) * one.dollars + ofOther * other.dollars : 0;
    }),
  );
  return Math.max(...mixes, ...kinds.map(({ bytes, dollars }) => Math.min(most, upload_bytes / bytes) * dollars));
}

/** Ordinary in number, and as large and as hard to compress as the four chunks of an ordinary import can be. */
function withReferences() {
  const dice = new Dice(7);
  return importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { courses: 2 }).map((record) => ({
    ...record,
    content: { ...record.content, external_ref: Array.from({ length: 64 }, () => dice.hex(8)).join('') },
  }));
}

const sumOf = (parts: Readonly<Record<string, number>> | readonly number[]): number =>
  Object.values(parts).reduce((sum, each) => sum + each, 0);
const rounded = (dollars: number): number => Math.round(dollars * 100) / 100;
