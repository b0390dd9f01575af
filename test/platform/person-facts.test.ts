/** Someone without an account is erased and exported by names alone (§13.2). Costs milliseconds. */
import { beforeEach, expect, it } from 'vitest';
import { finds, leftOfPerson } from '../erasure/person.ts';
import { useErasureWorld } from '../erasure/world.ts';
import { cancelImport } from '../../functions/imports/cancel.ts';
import { applyPlan } from '../../functions/plans/apply.ts';
import { requestImportRevert } from '../../functions/reverts/request.ts';
import { saveRun } from '../../functions/runs/draft.ts';
import { waitingPlan } from '../plans/plans.ts';

const world = useErasureWorld();

const ZOE = 'Zoe.Vanished@Gone.test';
const PERSON = { kind: 'person', company_id: 'acme', names: [ZOE, 'emp-vanished', 7_654_321] };
const ERASE = { ...PERSON, erase: true };
const VANISHED = /vanished|7654321/;
const RUN = { company_id: 'acme', run_id: 'run' };

beforeEach(() =>
  world.tell({ kind: 'company', version: 1, company_id: 'acme', name: 'Acme', migrations_enabled: true }),
);

const record = (external_record_id: string, user: unknown) => ({
  external_record_id,
  ...(user !== undefined && { user }),
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
});

/** Each spelling of a name. */
const SPELLINGS = [
  { email: ZOE },
  { email: ZOE.toUpperCase() },
  { email: ` ${ZOE}\t` },
  { email: `\u200B${ZOE}` },
  { email: encodeURIComponent(ZOE) },
  { email: 'ｚｏｅ.vanished@gone.test' },
  { email: `Zoe <${ZOE}>` },
  { email: ZOE, external_user_id: 'emp-vanished' },
  { external_user_id: 'emp-vanished' },
  { external_user_id: 'EMP-Vanished ' },
  { external_user_id: 7_654_321 },
  { external_user_id: ZOE },
  ZOE,
  [ZOE],
];
const planted = SPELLINGS.map((user, at) => record(`vanished-${at}`, user));
const unnamed = {
  ...record('vanished-without', undefined),
  content: { type: 'course', platform_course_id: 101, external_ref: `of ${ZOE}` },
};
const imported = (number: number) => String(number).padStart(26, '0');
const BEN = record('ben', { email: 'ben@acme.test' });

type Result = { readonly status: string; readonly errors?: readonly { readonly field: string }[] };
const results = async (...facts: object[]) =>
  ((await world.tell(...facts)) as unknown as { results: readonly Result[] }).results;
const left = () =>
  leftOfPerson(
    world.table.items(),
    [world.events, world.telemetry.lines, world.messages, world.erasureMessages],
    (value) => finds(value, VANISHED),
  );

/** Real operations leave the person in twenty places: 14 spellings, and six ways of storing them. Returns how many items name them. */
async function plantAll(): Promise<number> {
  const { services, stores, clock } = world;
  await world.accept(imported(0), [...planted, unnamed, BEN]);
  await world.accept(imported(1), planted, true);
  await world.comeToRest();
  const item = await stores.imports.read({ company_id: 'acme', import_id: imported(0) });
  if (item) await requestImportRevert(item, 1, services);
  await world.comeToRest();
  await world.accept(imported(2), [...planted, BEN]);
  await cancelImport({ company_id: 'acme', import_id: imported(2) }, services);
  await world.comeToRest();

  const document = { confirmed: { [`by ${ZOE}`]: 1, note: `ask ${ZOE}` }, ids: ['emp-vanished', 'emp-7'] };
  await saveRun(RUN, { decisions: { title: `With ${ZOE}`, document }, by: 1, expected: () => true }, services);
  await world.accept(imported(3), [...planted, record('ben-3', { email: 'ben@acme.test' })], true, 'run');
  const plan = { ...waitingPlan('a000000000001'), comment: `${ZOE} left` };
  await stores.plans.make(plan, [imported(3)], undefined);
  await applyPlan(plan, { plan_digest: plan.plan_digest, by: 1, approval: 'none' }, services);
  await world.comeToRest();
  clock.now += 1_000;
  await world.accept(imported(5), planted, false, null, true);
  await world.comeToRest();
  clock.now += 1_000;
  // It waits for its chunks when the erasure begins.
  await world.accept(imported(4), [...planted, record('ben-4', { email: 'ben@acme.test' })]);
  return left().length;
}

it('someone without an account is erased from every place, by every spelling, and nobody else is', async () => {
  expect(await plantAll()).toBe(16);
  // What names nobody of an account is stored apart then, and the archive beside it.
  Object.assign(world.services, { retentionDays: 400 });
  await world.accept(imported(6), planted, false, null, true);
  const document = { asked: ZOE };
  await saveRun({ ...RUN, run_id: 'other' }, { decisions: { document }, by: 1, expected: () => true }, world.services);
  await world.deliver();
  expect(left().length).toBeGreaterThanOrEqual(20);
  expect(await results(ERASE)).toEqual([{ status: 'applied', erased_at: null }]);
  expect(await results(ERASE)).toEqual([{ status: 'stale', erased_at: null }]);
  await world.comeToRest();
  expect(left()).toEqual([]);
  expect(world.contributions(8)).not.toEqual([]);
  const stored = await world.stores.runs.readDocument(RUN);
  expect(stored).toEqual({ confirmed: { note: null }, ids: [null, 'emp-7'] });
  const [first, ...others] = await world.reported(imported(4));
  expect(first?.result).toMatchObject({ external_record_id: null, status: 'error', erased: true });
  expect(others.at(-1)?.result).toMatchObject({ external_record_id: 'ben-4', status: 'success' });
});

it('the receipt says when, and how many places were blanked, whatever the order and the case of the names', async () => {
  await plantAll();
  const archived = (await world.reported(imported(5))).filter(({ result }) => result.archived === true).length;
  expect(archived).toBeGreaterThan(3);
  await world.tell(ERASE);
  await world.comeToRest();
  const names = ['7654321', ZOE.toLowerCase(), 'emp-vanished', ZOE];
  const told = await results({ ...ERASE, names });
  // Six imports and that of the plan, with the spellings; one record without a user; the draft and the comment; what is archived.
  const blanked = 7 * SPELLINGS.length + 1 + 2 + archived;
  expect(told).toEqual([{ status: 'erased', erased_at: expect.any(String), blanked }]);
  expect(finds(told, VANISHED)).toBe(false);
});

it('a higher version erases again what came since, and a version that is not is the receipt', async () => {
  await world.tell(ERASE);
  await world.comeToRest();
  await world.accept(imported(5), planted);
  await world.comeToRest();
  expect(left()).not.toEqual([]);
  expect(await results(ERASE)).toMatchObject([{ status: 'erased', blanked: 0 }]);
  expect(await results({ ...ERASE, version: 2 })).toEqual([{ status: 'applied', erased_at: null }]);
  await world.comeToRest();
  expect(left()).toEqual([]);
  expect(await results({ ...ERASE, version: 1 })).toMatchObject([{ status: 'erased', blanked: SPELLINGS.length }]);
  expect(await results({ ...ERASE, version: 1, force: true })).toMatchObject([{ status: 'applied' }]);
  await world.comeToRest();
  expect(await results({ ...ERASE, version: 1, force: true })).toMatchObject([{ status: 'erased' }]);
});

it('an export has every record that an erasure would blank, and is empty afterwards', async () => {
  await plantAll();
  const exported = async () => {
    const pages: { export: { imports: { records: { record: unknown }[] }[] }; cursor: string | null }[] = [];
    do {
      const cursor = pages.at(-1)?.cursor;
      const [page] = await results({ ...PERSON, export: true, ...(cursor && { cursor }) });
      pages.push(page as never);
    } while (pages.at(-1)?.cursor);
    return pages.flatMap((page) =>
      page.export.imports.flatMap(({ records }) => records.map(({ record: sent }) => sent)),
    );
  };
  const found = await exported();
  expect(found).toHaveLength(7 * SPELLINGS.length + 1);
  for (const sent of [...planted, unnamed]) expect(found).toContainEqual(sent);
  expect(finds(found, /ben@/)).toBe(false);
  await world.tell(ERASE);
  await world.comeToRest();
  expect(await exported()).toEqual([]);
});

it('a name of a user is refused with the id of that user, and erases nothing', async () => {
  for (const names of [['BEN@acme.test'], [ZOE, 'ext-ben']]) {
    const [refused] = await results({ ...ERASE, names });
    expect(refused).toMatchObject({ status: 'rejected', errors: [{ field: 'facts.0.names' }] });
    expect(JSON.stringify(refused)).toContain('user 8');
  }
  expect(world.isErasing()).toBe(false);
});

it('a person is refused without names, without a purpose, with too many names, and in an unknown company', async () => {
  const fields = async (fact: object) =>
    (await results(fact))
      .flatMap((each) => ('errors' in each ? (each.errors as { field: string }[]) : []))
      .map(({ field }) => field);
  expect(await fields(PERSON)).toEqual(['facts.0.erase']);
  expect(await fields({ ...ERASE, names: undefined })).toEqual(['facts.0.names']);
  expect(await fields({ ...ERASE, names: [] })).toEqual(['facts.0.names']);
  expect(await fields({ ...ERASE, names: Array.from({ length: 21 }, (_, at) => at) })).toEqual(['facts.0.names']);
  expect(await fields({ ...ERASE, names: [ZOE, 1.5] })).toEqual(['facts.0.names.1']);
  expect(await fields({ ...ERASE, company_id: 'other' })).toEqual(['facts.0.company_id']);
  expect(await fields({ ...PERSON, export: true, version: 1 })).toEqual(['facts.0.version']);
});
