/** Every end of a real import is reported at least once, never before it can be read, and none stays unreported. */
import type { FaultKind } from '../faults.ts';
import type { Finished, FinishedImport } from './finished.ts';

export function checkEvents({ simulation, stack }: Finished, imports: readonly FinishedImport[]): void {
  const { history } = stack;
  for (const { item } of imports) {
    const violate = (what: string) => history.violate(`import ${item.import_id}: ${what}`);
    const all = history.events.filter(({ what }) => what.import_id === item.import_id);
    const told = all.filter(({ what }) => what.type === 'Import Ended');
    checkReverted(item, all, violate);
    if (item.dry_run ? told.length > 0 : told.length === 0) violate(`${told.length} events`);
    const end = history.terminals.get(item.import_id);
    if (told.some(({ order }) => order < (end?.order ?? 0))) violate('its end was told before it could be read');
    if (new Set(told.map(({ what }) => JSON.stringify(what))).size > 1) violate('its events differ');
    if (told.some(({ what }) => what.status !== item.status)) violate('its event has another status');
  }
  for (const { pk, open_pk } of simulation.table.items()) {
    if (open_pk !== undefined) history.violate(`${String(pk)} is still in the index of open imports`);
  }
}

function checkReverted(
  item: FinishedImport['item'],
  told: Finished['stack']['history']['events'],
  violate: (what: string) => void,
): void {
  const reverted = told.filter(({ what }) => what.type === 'Import Reverted');
  if ((item.reverted_at === null) !== (reverted.length === 0)) violate(`${reverted.length} events of its revert`);
  if (reverted.some(({ what }) => what.reverted_at !== item.reverted_at)) violate('the event of its revert differs');
}

/** Faults after which an invocation continues hours after its time-out. */
const BELATED: ReadonlySet<FaultKind> = new Set(['stall before', 'stall after', 'kill, effect late', 'clock jump']);

/** An id is bound by a stored record. An invocation that outlives its time-out may bind that of an abandoned one. */
export function checkBindings({ simulation, stack }: Finished, imports: readonly FinishedImport[]): void {
  const { history } = stack;
  const isExact = !stack.isMixed && (simulation.bounded || simulation.suffered.every(({ kind }) => !BELATED.has(kind)));
  const failed = new Set(
    imports.flatMap(({ results }) =>
      results.flatMap(({ external_record_id, errors }) =>
        errors.some(({ error_code }) => error_code === 'processing_failed') ? [external_record_id] : [],
      ),
    ),
  );
  const written = new Set([...history.contributions.values()].map(({ what }) => what.external_record_id));
  for (const id of history.identities.keys()) {
    if (!written.has(id) && (isExact || !failed.has(id))) history.violate(`${id} is bound by nothing`);
  }
}
