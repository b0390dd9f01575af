/** The cases of docs/limits.md, "A large migration", by name. */
import * as listing from '../../functions/handlers/list-imports.ts';
import { inCompanyOfCaller } from '../../functions/http/operations.ts';
import { packImport } from '../../functions/imports/import-item.ts';
import type { ImportItem } from '../../functions/shared/model.ts';
import { slopeOf } from '../bench/growth.ts';
import { COMPANY, operationRequest } from '../kit/api-event.ts';
import type { CommandPlan } from '../kit/memory-table/commands.ts';
import type { Attributes, Key } from '../kit/memory-table/memory-table.ts';
import { servicesOver } from '../kit/world.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { deploymentOf } from './deployment.ts';
import { boundsOf, recordsPerSecond } from './formula.ts';
import {
  companyOf,
  importAll,
  type Migration,
  migrate,
  percentile,
  seconds,
  SETTLED_MS,
  withSeededMachine,
} from './migration.ts';
import { LoadedStack } from './stack.ts';
import { load, recordsOf } from './workload.ts';

export interface Size {
  readonly seed: number;
  /** Records of a migration; the other cases take theirs from it. */
  readonly records: number;
}

/** Rows by name, figures by name. */
export type Report = Readonly<Record<string, Readonly<Record<string, number | string>>>>;

export const WARM = 40_000;
/** More than the table has work for. */
const PROCESSORS = 24;
const OPEN = 128;
/** The second of throughput that an idle table lends would carry most of fewer records. */
const LEAST_OF_WARM = 300_000;
/** Records of a migration of 500 learners in a hundred courses each. */
const MOST_OF_FEW = 50_000;

export const SCENARIOS: Readonly<Record<string, (size: Size) => Promise<Report>>> = {
  async 'one-company'(size) {
    const { seed } = size;
    const records = Math.max(LEAST_OF_WARM, size.records);
    const settings = { warm: WARM, processors: PROCESSORS };
    const row = async (migration: Pick<Migration, 'sortedBy' | 'isJustRegistered'>) => ({
      records,
      ...(await migrate({ seed, records, settings, open: OPEN, ...migration })),
    });
    return {
      'sorted by course': await row({ sortedBy: 'course' }),
      'sorted by course, mappings registered just before': await row({ sortedBy: 'course', isJustRegistered: true }),
      'sorted by learner': await row({ sortedBy: 'learner' }),
    };
  },

  async 'new-table'({ seed, records }) {
    return {
      'a new table': {
        ...(await migrate({ seed, records, settings: { processors: 10 }, sortedBy: 'course', open: OPEN })),
      },
    };
  },

  neighbours,
  lists,
  watchdog,

  async cost({ seed, records }) {
    const points: { records: number; write_units: number; read_units: number }[] = [];
    const rows: Record<string, Record<string, number | string>> = {};
    const settings = { warm: WARM, processors: 5 };
    const costOf = async (migration: Pick<Migration, 'records' | 'learners' | 'sortedBy'>) => {
      const figures = await migrate({ seed, settings, namedBy: 'addresses', open: 4, ...migration });
      const { write_units_per_record, read_units_per_record, dollars_per_million } = figures;
      return { write_units_per_record, read_units_per_record, dollars_per_million };
    };
    for (const size of sizesTo(records)) {
      const cost = await costOf({ records: size, sortedBy: 'course' });
      const { write_units_per_record, read_units_per_record } = cost;
      points.push({
        records: size,
        write_units: write_units_per_record * size,
        read_units: read_units_per_record * size,
      });
      rows[`${size} records`] = cost;
    }
    const few = { records: Math.min(records, MOST_OF_FEW), learners: 500 };
    for (const sortedBy of ['learner', 'nothing'] as const)
      rows[`${few.records} records of 500 learners, sorted by ${sortedBy}`] = await costOf({ ...few, sortedBy });
    rows['slope'] = {
      write_units_per_record: slopeOf(points, 'write_units'),
      read_units_per_record: slopeOf(points, 'read_units'),
    };
    return rows;
  },

  async formula({ seed }) {
    const rows: Record<string, Record<string, number | string>> = {};
    for (const settings of FIVE_POINTS) {
      const { records } = settings;
      const { records_per_second } = await migrate({
        seed,
        records,
        settings: given(settings),
        open: OPEN,
        isGatewayOpen: true,
      });
      const expected = Math.round(recordsPerSecond(settings));
      const [bound] = Object.entries(boundsOf(settings)).reduce((a, b) => (b[1] < a[1] ? b : a));
      rows[`warm ${settings.warm}, processors ${settings.processors}`] = {
        records_per_second,
        by_formula: expected,
        ratio: Math.round((100 * records_per_second) / expected) / 100,
        bound,
      };
    }
    return rows;
  },
};

/** `records`: enough that the second lent by an idle table does not count. */
export const FIVE_POINTS = [
  { warm: 4_000, processors: 5, records: 15_000 },
  { warm: 12_000, processors: 2, records: 20_000 },
  { warm: 16_000, processors: 5, records: 60_000 },
  { warm: 24_000, processors: 3, records: 30_000 },
  { warm: 8_000, processors: 12, records: 40_000 },
] as const;

const given = ({ warm, processors }: (typeof FIVE_POINTS)[number]) =>
  warm === 4_000 ? { processors } : { warm, processors };

const sizesTo = (records: number): number[] =>
  [500, 5_000, 50_000, 500_000, 1_000_000].filter((size) => size <= records);

const QUIET_COMPANIES = 49;
const QUIET_RECORDS = 100;

/** Forty-nine companies send an import of 100 records each, with and without another company that sends all it can. */
async function neighbours({ seed, records }: Size): Promise<Report> {
  const rows: Record<string, Record<string, number | string>> = {};
  for (const busy of [0, records]) {
    const deployment = deploymentOf({ warm: WARM, processors: 5 });
    // The gateway's limits would keep the busy company from its full load.
    const stack = new LoadedStack({ seed, deployment, isGatewayOpen: true });
    const migration: Migration = { seed, records: busy, open: OPEN };
    const loud = companyOf('acme', migration);
    const quiet = Array.from({ length: QUIET_COMPANIES }, (_, at) =>
      companyOf(`quiet-${at}`, { seed, records: 500, open: 1 }),
    );
    await withSeededMachine(seed, async () => {
      for (const company of [loud, ...quiet]) await load(stack.stores, company);
      stack.simulation.nowMs += SETTLED_MS;
      await stack.run(() =>
        Promise.all([
          importAll(stack, loud, migration),
          ...quiet.map(async (company, at) => {
            await stack.pause(1_500 + (at * 2_000) / QUIET_COMPANIES);
            await stack.follow({
              company_id: company.company_id,
              records: recordsOf(0, company).slice(0, QUIET_RECORDS),
            });
          }),
        ]),
      );
    });
    const terminal = stack.observations.terminalMs(({ company_id }) => company_id !== 'acme').toSorted((a, b) => a - b);
    rows[busy === 0 ? 'the others alone' : 'the others beside one at full load'] = {
      imports: terminal.length,
      p50_s: seconds(percentile(terminal, 0.5)),
      p99_s: seconds(percentile(terminal, 0.99)),
      max_s: seconds(percentile(terminal, 1)),
    };
  }
  return rows;
}

const LISTED = 200_000;
const DAY = 86_400_000;
const EPOCH_MS = Date.UTC(2026, 0, 1);
const RUNS = 100;
const SUMMARY = { succeeded: 1, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };

/** Read calls and units of a page of a company's 200,000 imports under every filter, authorisation included. */
async function lists({ seed, records }: Size): Promise<Report> {
  const imports = Math.min(LISTED, records * 4);
  const stack = new LoadedStack({ seed, deployment: deploymentOf() });
  const { simulation, database } = stack;
  const { company_id } = COMPANY;
  for (let at = 0; at < imports; at += 1) put(simulation.table, packImport(endedImport(company_id, at)));
  const counted = servicesOver({
    client: clientOf(async (command) => executed(database.plan(command, () => {}))),
    clock: { nowMs: () => simulation.nowMs },
    queue: { send: async () => {}, postpone: async () => undefined },
  });
  const rows: Record<string, Record<string, number | string>> = {};
  for (const [name, query] of Object.entries(QUERIES)) {
    const [callsBefore, before] = [callsOf(database), database.units.reads];
    await counted.stores.access.readAccess({ session_id: 's', company_id, email: 'admin@acme.test' });
    const { body } = await inCompanyOfCaller(listing.listImports)(operationRequest({ query }), counted);
    rows[name] = {
      imports: (body as { imports: readonly unknown[] }).imports.length,
      read_calls: callsOf(database) - callsBefore,
      read_units: database.units.reads - before,
    };
    simulation.nowMs += 1_000;
  }
  return rows;
}

const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  all: { limit: '100' },
  success: { status: 'success', limit: '100' },
  error: { status: 'error', limit: '100' },
  'partial success': { status: 'partial_success', limit: '100' },
  processing: { status: 'processing', limit: '100' },
  validated: { status: 'validated', limit: '100' },
  'of a run': { run_id: 'run-7', limit: '100' },
  'of a run, error': { run_id: 'run-7', status: 'error', limit: '100' },
  'of a day': {
    created_since: new Date(EPOCH_MS + DAY).toISOString(),
    created_before: new Date(EPOCH_MS + 2 * DAY).toISOString(),
    limit: '100',
  },
  'of a day, error': {
    status: 'error',
    created_since: new Date(EPOCH_MS + DAY).toISOString(),
    created_before: new Date(EPOCH_MS + 2 * DAY).toISOString(),
    limit: '100',
  },
};

const callsOf = ({ calls }: { readonly calls: Readonly<Record<string, number>> }): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);

const executed = ({ parts, response }: CommandPlan): unknown => response(parts.map((part) => part()));

/** One in a thousand failed, and one in a hundred partly. */
function endedImport(company_id: string, at: number): ImportItem {
  const created_at = new Date(EPOCH_MS + at * 5_000).toISOString();
  const status = at % 1_000 === 0 ? 'error' : at % 100 === 0 ? 'partial_success' : 'success';
  return { ...openImport(company_id, at, created_at), status, completed_at: created_at, summaries: { 0: SUMMARY } };
}

function openImport(company_id: string, at: number, created_at: string): ImportItem {
  return {
    company_id,
    import_id: `imp-${String(at).padStart(28, '0')}`,
    dry_run: false,
    status: 'processing',
    created_at,
    created_by: 1,
    run_id: `run-${at % RUNS}`,
    completed_at: null,
    cancelled_at: null,
    reverted_at: null,
    total: 1,
    fingerprint: 'f'.repeat(64),
    attempt_id: '0'.repeat(16),
    resends: 0,
    chunks: [{ first_index: 0, size: 1, payload_hash: 'p'.repeat(43) }],
    summaries: {},
  };
}

function put(table: { write(key: Key, item: Attributes): void }, { pk, sk, ...item }: Key & Attributes): void {
  table.write({ pk, sk }, { pk, sk, ...item });
}

const OPEN_IMPORTS = 20_000;

/** Open imports that all became due at once, and whose messages are lost: the time until the watchdog has checked each. */
async function watchdog({ seed, records }: Size): Promise<Report> {
  const imports = Math.min(OPEN_IMPORTS, records);
  const stack = new LoadedStack({ seed, deployment: deploymentOf() });
  const { simulation } = stack;
  stack.isDelivering = false;
  const due_at = new Date(simulation.nowMs - 1_000).toISOString();
  for (let at = 0; at < imports; at += 1)
    put(
      simulation.table,
      packImport({ ...openImport('acme', at, new Date(simulation.nowMs - 60_000).toISOString()), due_at }),
    );
  const firstMs = simulation.nowMs + 30_000;
  const seen = new Map<string, number>();
  const onWrite = simulation.table.onWrite;
  simulation.table.onWrite = (key, before, after) => {
    onWrite(key, before, after);
    if (Number(after?.['resends']) > 0 && !seen.has(key.pk)) seen.set(key.pk, simulation.nowMs);
  };
  await withSeededMachine(seed, () =>
    stack.run(async () => {
      for (let second = 0; second < 600 && seen.size < imports; second += 1) await stack.pause(1_000);
      await stack.pause(60_000);
    }),
  );
  return {
    [`${imports} open imports, all due`]: {
      looked_at: seen.size,
      all_after_s: seconds(Math.max(...seen.values()) - firstMs),
      longest_run_s: seconds(stack.longestWatchMs),
    },
  };
}
