/** One random batch: dry run, real run and reference must return the same results, also when it is sent again. */
import type { RecordResult } from '../../functions/shared/model.ts';
import { Dice } from '../kit/dice.ts';
import { ReferenceCompany, randomNative, referenceWorld, withoutArchived, withoutBefore } from './company.ts';
import { referenceVerdict, verdictOf } from './compare.ts';
import { textOfProgress } from './effective.ts';
import { randomRecord } from './random-records.ts';
import { isArchived, referenceBatch, type ReferenceResult } from './record.ts';
import { hasUnknownMember } from './shape.ts';
import type { KnownRecord, PairState } from './world.ts';

interface Disagreement {
  readonly between: string;
  readonly record: unknown;
  readonly one: unknown;
  readonly other: unknown;
}

/** Many small batches and few large ones, because the cost is in the records. */
const batchSize = (dice: Dice): number =>
  dice.chance(0.02) ? dice.between(100, 500) : dice.chance(0.2) ? dice.between(10, 60) : dice.between(1, 9);

export async function compareBatch(seed: number): Promise<readonly Disagreement[]> {
  const dice = new Dice(seed, 4);
  const native = randomNative(dice);
  const company = new ReferenceCompany(seed);
  const world = referenceWorld(native);
  await company.create(native);
  const earlier = Array.from({ length: dice.below(10) }, (_, at) => randomRecord(dice, `r-${at}`));
  if (earlier.length > 0)
    remember(referenceBatch(earlier, world, (await company.import(earlier, false)).created_at), world, {
      import_id: '',
      replaces: false,
    });
  company.later();
  const size = batchSize(dice);
  const batch = Array.from({ length: size }, () => {
    const again = earlier[dice.below(earlier.length * 3 + 1)];
    return again !== undefined && dice.chance(0.5) ? again : randomRecord(dice, `r-${dice.below(size + 4)}`);
  });
  const asked = { replace: dice.chance(0.4), archive: seed % 2 === 0 };
  const first = await compareImport(batch, company, world, asked);
  const progress = await company.progress();
  company.later();
  const again = await compareImport(batch, company, world, asked);
  const changes = differ('progress and progress of the batch sent again', batch, progress, await company.progress());
  return [...first.disagreements, ...again.disagreements, ...changes, ...notUnchanged(batch, first, again)];
}

const first = ([position]: readonly unknown[]): unknown => position;

type Archivable = Pick<RecordResult, 'archived'>;

interface Compared {
  readonly results: readonly RecordResult[];
  readonly disagreements: readonly Disagreement[];
}

async function compareImport(
  batch: readonly unknown[],
  company: ReferenceCompany,
  world: ReturnType<typeof referenceWorld>,
  asked: { readonly replace: boolean; readonly archive: boolean },
): Promise<Compared> {
  const { replace, archive } = asked;
  const dry = await company.import(batch, true, asked);
  const otherwise = archive ? await company.import(batch, true, { replace }) : dry;
  const real = await company.import(batch, false, asked);
  const reference = referenceBatch(batch, world, real.created_at, replace);
  const report = withoutBefore(dry.results);
  const disagreements = batch.flatMap((record, at) => {
    const [is, due] = [dry.results[at], reference[at]];
    return [
      ...differ('dry run and real run', record, report[at], real.results[at]),
      ...differ('with the archive and without', record, without(dry, at), without(otherwise, at)),
      ...differ(
        'service and reference',
        record,
        is && seen(verdictOf(is), is),
        due && seen(referenceVerdict(due), { ...due, ...(archive && isArchived(due) && { archived: true }) }),
      ),
    ];
  });
  const due = reference.flatMap((each, at) =>
    archive && isArchived(each) ? [[String(at), { record: batch[at], errors: real.results[at]?.errors }]] : [],
  );
  // Members that the interface does not define are not stored.
  const isWhole = ([at]: readonly unknown[]) => !hasUnknownMember(batch[Number(at)] as Record<string, unknown>);
  const positions = differ('archive', batch, real.kept.map(first), due.map(first));
  const records = differ('archived records', batch, real.kept.filter(isWhole), due.filter(isWhole));
  remember(reference, world, { import_id: '', replaces: replace });
  return { results: real.results, disagreements: [...disagreements, ...positions, ...records] };
}

const without = ({ results }: { readonly results: readonly RecordResult[] }, at: number) =>
  withoutArchived(results.slice(at, at + 1));

/** Sent again, an applied record is `unchanged`, and a rejected one is rejected for the same reasons. */
function notUnchanged(batch: readonly unknown[], first: Compared, again: Compared): Disagreement[] {
  return batch.flatMap((record, at) => {
    const [one, other] = [first.results[at], again.results[at]];
    const due = one?.status === 'success' ? 'unchanged' : one?.errors;
    return differ('first and again', record, due, other?.status === 'success' ? other.outcome : other?.errors);
  });
}

function differ(between: string, record: unknown, one: unknown, other: unknown): Disagreement[] {
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ between, record, one, other }];
}

function seen(
  verdict: string,
  { external_record_id, outcome, progress, before, archived }: (RecordResult | ReferenceResult) & Archivable,
) {
  return {
    verdict,
    archived,
    id: external_record_id,
    outcome,
    progress: progress && [progress.user_id, progress.platform_course_id, textOfProgress(progress)],
    before: before && textOfProgress(before),
  };
}

export function remember(
  results: readonly ReferenceResult[],
  world: { pairs: Map<string, PairState>; identities: Map<string, string> },
  of: Pick<KnownRecord, 'import_id' | 'replaces'>,
): void {
  for (const { external_record_id: id, outcome, progress, source, said } of results) {
    if (id === null || progress === null || source === undefined || said === undefined) continue;
    const pair = `${progress.user_id}/${progress.platform_course_id}`;
    world.identities.set(id, pair);
    if (outcome === 'unchanged') continue;
    const state = world.pairs.get(pair) ?? { native: null, records: [] };
    world.pairs.set(pair, {
      ...state,
      records: [...state.records, { external_record_id: id, said, source, ...of }],
    });
  }
}
