/** The most an attacker can cost in an hour: default rates and quotas times the cost of the most expensive calls. */
import document from '../../docs/openapi.json' with { type: 'json' };
import { applyMessage } from '../../functions/platform/apply-facts.ts';
import { openSession } from '../../functions/auth/sessions.ts';
import { handler as getJwks } from '../../functions/handlers/get-jwks.ts';
import { handler as getImport } from '../../functions/handlers/get-import.ts';
import { handler as listImportRecords } from '../../functions/handlers/list-import-records.ts';
import { handler as getToken } from '../../functions/handlers/get-token.ts';
import { handler as login } from '../../functions/handlers/login.ts';
import { PROVIDER_LIMITS } from '../../functions/auth/provider-document.ts';
import { handler as signIn } from '../../functions/handlers/sign-in.ts';
import { handler as refreshToken } from '../../functions/handlers/refresh-token.ts';
import type { ApiHandler } from '../../functions/http/chain.ts';
import { COUNTED_REPORT_BYTES, HOURLY_QUOTAS } from '../../functions/shared/limits.ts';
import { ROUTES, type RouteName } from '../../functions/shared/routes.ts';
import { resourcesOfType } from '../../bin/local/template.ts';
import { type EventParts, posted } from '../kit/api-event.ts';
import { Dice } from '../kit/dice.ts';
import { machine } from '../kit/machine.ts';
import { templateOf } from '../kit/template.ts';
import { callDollars, REQUEST } from './cost.ts';
import { measureImport, type MeasuredImport, PLATFORM, writeUnitsOf } from './imports.ts';
import prices from './prices.json' with { type: 'json' };
import { ADMIN, COMPANY_ID, importOf, RECORDS_PER_IMPORT } from './workload.ts';
import { call, figuresWorld, type Tally } from './world.ts';

const HOUR_SECONDS = 3600;
const GB = 1e9;
/** Computing beside the calls to AWS; `hash` is a password hash at Lambda's full core, `provider` waiting for one that is near. */
const COMPUTING_MS = { small: 5, large: 60, hash: 211, provider: 500 };
/** An index entry of a run, eventually consistent: a request reads 2,500 of them for 1 MB. */
const RUN_UNITS_PER_IMPORT = 1_000_000 / 4096 / 2 / 2500;
const SEARCHES = ['get-run', 'list-runs', 'cancel-run', 'get-record', 'revert-import', 'revert-run'] as const;
/** The largest file of the page, uncompressed. */
const PAGE_BYTES = 300_000;
/** Signatures of a login or a refresh. */
const SIGNATURES = 2;

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

/** Of a production stack with a page, which pages of other origins may call, too: API Gateway has a rate for each method, and none for their sum. */
function gatewayRates(): Rates {
  const template = templateOf({ company: 'acme', stage: 'production', page: true, cors: ['https://app.example.com'] });
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

/** What a call makes, the bytes of its response, uncompressed, and its computing. */
interface Counted {
  readonly tally: Tally;
  readonly bytes: number;
  readonly computing_ms?: number;
}

const dollarsOf = (name: RouteName, { tally, bytes, computing_ms = COMPUTING_MS.small }: Counted): number =>
  REQUEST + callDollars(name, [tally], computing_ms) + (bytes / GB) * prices.transfer_gb.price;

/** Dollars an hour: of an anonymous caller, of one stolen admin token, and of each part of the two. */
export async function abuseFigures(): Promise<Readonly<Record<string, number>>> {
  const world = await figuresWorld(PLATFORM);
  const { services } = world;
  const source = () => services;
  const rates = gatewayRates();
  const count = async (name: RouteName, handler: ApiHandler, parts: EventParts, status = 200): Promise<Counted> => {
    const { method, path: rawPath } = ROUTES.find((route) => route.name === name) ?? { method: 'GET', path: '' };
    const { tally, value } = await world.measure(() => call(handler, { rawPath, ...parts, method }));
    if (value.status !== status) throw new Error(`${name} returned ${value.status}: ${JSON.stringify(value.body)}`);
    return { tally, bytes: value.bytes };
  };
  const kind = (name: RouteName, counted: Counted, more = 0): Kind => ({
    name,
    dollars: dollarsOf(name, counted) + more,
    perSecond: rates.of(name),
  });
  const { refresh_token } = await openSession(services, ADMIN, services.clock.nowMs());
  const headers = { authorization: world.authorization };
  const path = { company_id: COMPANY_ID };

  const guess = posted({ email: 'nobody@figures.example', password: 'guess' });
  const nothing = await count('get-jwks', getJwks.on(source()), {});
  const openapi = { ...nothing, bytes: JSON.stringify(document).length, computing_ms: COMPUTING_MS.large };
  const guessed = await count('login', login.on(source()), guess, 401);
  const refusing = { ...services, provider: { exchange: async () => ({ refused: 'invalid_grant' }) } };
  const code = { code: 'c', code_verifier: 'v'.repeat(43), nonce: 'n'.repeat(16), redirect_uri: 'http://127.0.0.1:1/' };
  const refused = await count('sign-in', signIn.on(refusing), posted(code), 401);
  const identity = { issuer: 'https://provider.test', sub: 'admin', email: ADMIN.email };
  const accepting = { ...services, provider: { exchange: async () => ({ identity }) } };
  const signedIn = await count('sign-in', signIn.on(accepting), posted(code), 201);
  const client = machine(COMPANY_ID);
  await applyMessage({ facts: [client.fact] }, services);
  const asked = await client.asking(services.parties.issuer, services.clock.nowMs(), 'figures');
  const granted = await count('get-token', getToken.on(source()), asked);
  const unknown = dearest(
    [
      kind('get-openapi', openapi),
      kind('login', { ...guessed, computing_ms: COMPUTING_MS.hash }),
      // The provider may take as long as it is waited for.
      kind('sign-in', { ...refused, computing_ms: PROVIDER_LIMITS.ms }),
      {
        name: 'the page',
        dollars: dollarsOf('get-openapi', { ...nothing, bytes: PAGE_BYTES }),
        perSecond: 2 * rates.others,
      },
      { name: 'any other call', dollars: dollarsOf('get-jwks', nothing), perSecond: rates.all },
    ],
    rates.all,
  );

  const small = await measureImport(world, importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, { courses: 1 }));
  const classes = await measureImport(world, importOf({ learners: RECORDS_PER_IMPORT, courses: 1, classes: 100 }));
  const referenced = await measureImport(world, withReferences());
  const ofImport = { headers, path: { ...path, import_id: referenced.import_id } };
  const fetched = await count('get-import', getImport.on(source()), ofImport);
  const page = listImportRecords.on(source());
  const listed = await count('list-import-records', page, { ...ofImport, query: { limit: '1' } });
  const refresh = posted({ refreshToken: refresh_token });
  const refreshed = await count('refresh-token', refreshToken.on(source()), refresh, 201);
  const searched: Kind = {
    name: 'runs and audits',
    dollars:
      dollarsOf('list-import-records', listed) + HOURLY_QUOTAS.imports * RUN_UNITS_PER_IMPORT * prices.read_unit.price,
    perSecond: SEARCHES.reduce((sum, name) => sum + rates.of(name), 0),
  };
  const imports = [small, classes, referenced].map(sending);
  const stolen = {
    'imports up to their quotas': dearestMix(imports),
    // A revert removes the writes of its import, so that it writes no more than the import.
    'reverts of them': HOURLY_QUOTAS.imports * writeUnitsOf(small.post, ...small.chunks) * prices.write_unit.price,
    'downloads up to their bytes':
      (HOURLY_QUOTAS.download_bytes / GB) * prices.transfer_gb.price +
      (HOURLY_QUOTAS.download_bytes / 4096) * prices.read_unit.price,
    ...dearest(
      [
        kind('get-import', { ...fetched, bytes: COUNTED_REPORT_BYTES, computing_ms: COMPUTING_MS.large }),
        kind('list-import-records', { ...listed, computing_ms: COMPUTING_MS.large }),
        kind('refresh-token', refreshed, SIGNATURES * prices.signature.price),
        searched,
      ],
      rates.all,
    ),
  };
  const named = (who: string, parts: Readonly<Record<string, number>>) =>
    Object.entries(parts).map(([name, dollars]) => [`dollars an hour: ${who}: ${name}`, rounded(dollars)]);
  return {
    ...Object.fromEntries([...named('anonymous', unknown), ...named('stolen token', stolen)]),
    'dollars an hour: anonymous': rounded(sumOf(unknown)),
    'dollars an hour: stolen admin token': rounded(sumOf(stolen)),
    'dollars of a thousand sign-ins': rounded(
      1000 *
        (dollarsOf('sign-in', { ...signedIn, computing_ms: COMPUTING_MS.provider }) +
          SIGNATURES * prices.signature.price),
    ),
    'dollars of a thousand tokens of clients': rounded(
      1000 * (dollarsOf('get-token', granted) + prices.signature.price),
    ),
  };
}

interface Sent {
  readonly bytes: number;
  readonly dollars: number;
}

function sending({ body_bytes, post, chunks }: MeasuredImport): Sent {
  // A message is sent, received and deleted.
  const messages = chunks.length * (prices.lambda_request.price + 3 * prices.sqs_request.price);
  const accepted = REQUEST + callDollars('start-import', [post], COMPUTING_MS.large);
  const processed = callDollars('process-chunk', chunks, chunks.length * COMPUTING_MS.large);
  return { bytes: body_bytes, dollars: messages + prices.event.price + accepted + processed };
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

const sumOf = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, each) => sum + each, 0);
const rounded = (dollars: number): number => Math.round(dollars * 100) / 100;
