/** The index of open work: imports that have not ended or whose event is not sent, reverts, erasures and applications that are not done. */
import { number, text } from '../dynamodb/attributes.ts';
import type { Database } from '../dynamodb/client.ts';
import { query } from '../dynamodb/queries.ts';
import { INDEX, OPEN_IMPORTS_PARTITION, REVERT_PREVIEW } from '../dynamodb/table.ts';
import { acrossCompanies } from '../dynamodb/tenancy.ts';
import type { SteppedWork } from './work.ts';
import { instant } from '../records/instants.ts';
import { batchesOf } from '../runtime/batching.ts';
import type { Clock } from '../runtime/system.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { Instant } from '../shared/model.ts';

interface OpenImport {
  readonly kind: 'import';
  readonly company_id: string;
  readonly import_id: string;
}

interface Due {
  readonly due_at: Instant;
  readonly resends: number;
  readonly isClosing: boolean;
}

/** Work that the watchdog continues if it is due. `resends`: how often that had no effect since its last progress. */
export type OpenWork = (OpenImport | SteppedWork) & Due;

const { openImports } = INDEX;

export type OpenWorkList = ReturnType<typeof openWorkList>;

/** Lists the open work of all companies, which only the watchdog may read. */
export function openWorkList(database: Database) {
  const readAll = async (): Promise<OpenWork[]> => {
    const open: OpenWork[] = [];
    const entries = query(database, { partition: OPEN_IMPORTS_PARTITION, index: openImports });
    for await (const entry of entries) {
      const isClosing = entry['closing_at'] !== undefined;
      const due = { due_at: text(entry, openImports.sortKey), resends: number(entry, 'resends'), isClosing };
      open.push({ ...namedBy(text(entry, 'pk'), text(entry, 'sk')), ...due });
    }
    return open;
  };
  return {
    /** All of it, oldest due first. Eventually consistent. Reads 1 MB, about 5,000 imports, a request. */
    listOpen: (): Promise<OpenWork[]> => acrossCompanies(readAll),
  };
}

/** The work that the key of an entry names. The id of a run comes last, and may contain a `#`. */
function namedBy(pk: string, sk: string): OpenImport | SteppedWork {
  const [company_id = '', kind = ''] = pk.split('#');
  const id = pk.slice(company_id.length + kind.length + '##'.length);
  if (kind === 'erasure') return { kind, company_id, erasure_id: id };
  if (kind === 'plan') return { kind: 'application', company_id, plan_id: id };
  if (kind === 'run')
    return { kind: 'revert', subject: { kind: sk === REVERT_PREVIEW ? 'preview' : kind, company_id, run_id: id } };
  const named = { kind: 'import', company_id, import_id: id } as const;
  return sk === 'import' ? named : { kind: 'revert', subject: named };
}

const AT_ONCE = 10;

/** Watches due work ten at a time, companies in turns. Faults are logged. `everyOpen`: all is due (a lost queue). */
export async function* watchOpen<Outcome>(
  open: readonly OpenWork[],
  watch: (work: OpenWork) => Promise<Outcome | undefined>,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
  everyOpen = false,
): AsyncIterable<readonly Outcome[]> {
  const now = instant(clock.nowMs());
  const due = everyOpen ? open : open.filter(({ due_at }) => due_at <= now);
  for (const together of batchesOf(inTurns(due), AT_ONCE)) {
    const outcomes = await Promise.all(together.map((work) => watched(work, watch, telemetry)));
    yield outcomes.filter((outcome) => outcome !== undefined);
  }
}

const companyOf = (work: OpenWork): string => (work.kind === 'revert' ? work.subject : work).company_id;

/** The first of each company, then the second of each, and so on. */
function inTurns(due: readonly OpenWork[]): OpenWork[] {
  const companies = [...Map.groupBy(due, companyOf).values()];
  const longest = Math.max(0, ...companies.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => companies.flatMap((own) => own.slice(turn, turn + 1))).flat();
}

const NAMES = {
  import: 'An import',
  revert: 'A revert',
  erasure: 'An erasure',
  application: 'The application of a plan',
} as const;

async function watched<Outcome>(work: OpenWork, watch: (work: OpenWork) => Promise<Outcome>, telemetry: Telemetry) {
  try {
    return await watch(work);
  } catch (error) {
    const { kind: _, ...ids } = work.kind === 'revert' ? work.subject : work;
    telemetry.error(`${NAMES[work.kind]} could not be watched. The next run tries again.`, error, ids);
    return undefined;
  }
}
