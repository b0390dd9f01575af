/** What the archive costs: to keep a record, and to read a page of a million that are kept. */
import { handler as getLearner } from '../../functions/handlers/get-learner.ts';
import { handler as listArchive } from '../../functions/handlers/list-archive.ts';
import type { ApiHandler } from '../../functions/http/chain.ts';
import { instant } from '../../functions/records/instants.ts';
import { errorResult } from '../../functions/records/result.ts';
import { CHUNK_LIMITS } from '../../functions/shared/limits.ts';
import type { ChunkRef, Plan } from '../../functions/shared/model.ts';
import { HASH, importItem } from '../dynamodb/samples.ts';
import { callsOf, measureImport, perRecord, readUnitsOf, writeUnitsOf } from './imports.ts';
import { COMPANY_ID, importOf, RECORDS_PER_IMPORT, type FiguresRecord, type Shape } from './workload.ts';
import { call, figuresWorld, type World } from './world.ts';

/** All other learners are leavers. */
const PLATFORM = { learners: RECORDS_PER_IMPORT, courses: 40 };
const LEAVERS = { learners: PLATFORM.learners };
/** A record of a kilobyte, and the courses of a few leavers. */
const LARGE: Shape = { learners: RECORDS_PER_IMPORT, courses: 1, classes: 11 };
const FEW: Shape = { learners: 25, courses: 20 };
const OF_A_CHUNK: Shape = { learners: 7, courses: 20 };

const ofLeavers = (shape: Shape, more = 0) => byLearner(importOf(shape, { learners: LEAVERS.learners + more }));
const byLearner = (records: readonly FiguresRecord[]): FiguresRecord[] =>
  records.toSorted((a, b) => (a.user.email < b.user.email ? -1 : 1));

const namedTwice = ({ user, ...rest }: FiguresRecord) => ({
  ...rest,
  user: { ...user, external_user_id: `old-${user.email}` },
});

type Writing = (records: readonly object[], more?: object, applied?: number) => Promise<number>;

/** Units that an import writes which comes after another: the first of a process pays for keys that later ones reuse. */
async function writingWorld(): Promise<Writing> {
  const world = await figuresWorld(PLATFORM);
  const written: Writing = async (records, more = {}, applied = 0) => {
    const { post, chunks } = await measureImport(world, records, more, applied);
    return writeUnitsOf(post, ...chunks);
  };
  await written(ofLeavers(FEW));
  return written;
}

/** What imports write with `archive` beyond what they write without it. */
async function keepingFigures(): Promise<Record<string, number>> {
  const written = await writingWorld();
  const kept = async (records: readonly object[]): Promise<number> =>
    perRecord((await written(records, { archive: true })) - (await written(records)));
  const known = importOf(LARGE);
  const unasked = await written(known, {}, known.length);
  const asked = await (await writingWorld())(known, { archive: true }, known.length);
  const large = ofLeavers(LARGE);
  return {
    'archived, of 1 KB: bytes of a record': Math.round(JSON.stringify(large).length / large.length),
    'archived, of 1 KB: write units more per record': await kept(large),
    'archived, of 1 KB, with two names: write units more per record': await kept(large.map(namedTwice)),
    'archived, twenty courses of each leaver: write units more per record': await kept(ofLeavers(FEW)),
    'archive, nothing to keep: write units more per record': perRecord(asked - unasked),
  };
}

const RUN = 'migration';
/** An address that the old system had for all people without an account: a record of each import. */
const COLLECTIVE = 'collective@figures.example';
/** A page reads 40 chunks at most. Of earlier imports than these, only the chunk with the collective address is stored. */
const WHOLE_IMPORTS = 50;

const CHUNKS: readonly ChunkRef[] = Array.from({ length: RECORDS_PER_IMPORT / CHUNK_LIMITS.records }, (_, at) => ({
  first_index: at * CHUNK_LIMITS.records,
  size: CHUNK_LIMITS.records,
  payload_hash: HASH,
}));
const [size, none] = [CHUNK_LIMITS.records, { succeeded: 0, with_warnings: 0, conflict: [], failed_indexes: [] }];
const ENDED = {
  status: 'error',
  total: RECORDS_PER_IMPORT,
  chunks: CHUNKS,
  summaries: Object.fromEntries(CHUNKS.map((_, chunk) => [chunk, { ...none, failed: size, archived: size }])),
  archived_until: '2036-01-01T00:00:00.000Z',
} as const;

/** The archive of a million records, twenty of each leaver; those of the run came first. */
async function archiveWorld(records: number): Promise<World> {
  const world = await figuresWorld({ learners: 1, courses: 1 });
  const { clock, stores } = world.services;
  const startMs = clock.nowMs() - 3_600_000;
  const imports = records / RECORDS_PER_IMPORT;
  for (let at = 0; at < imports; at += 1) {
    const created_at = instant(startMs + at);
    const ids = { import_id: String(at).padStart(26, '0'), run_id: at < imports / 2 ? RUN : 'another' };
    const item = importItem(COMPANY_ID, { ...ENDED, ...ids, created_at, completed_at: created_at });
    await stores.imports.commit(item);
    const isWhole = [imports / 2, imports].some((end) => at < end && at >= end - WHOLE_IMPORTS);
    const [first, ...others] = ofLeavers(isWhole ? FEW : OF_A_CHUNK, at * FEW.learners);
    const sent = [{ ...first, user: { email: COLLECTIVE } }, ...others];
    for (const [chunk, { first_index }] of CHUNKS.entries())
      if (isWhole || chunk === 0)
        await stores.archive.putArchived(
          item,
          chunk,
          archiving(sent.slice(first_index, first_index + size), first_index),
        );
  }
  return world;
}

function archiving(records: readonly object[], first_index: number): Plan {
  const errors = [{ error_code: 'user_not_found', message: 'No user of the company has this address.' }] as const;
  const planned = records.map((_, at) => {
    const ids = { index: first_index + at, external_record_id: null };
    return { result: { ...errorResult(ids, errors), archived: true as const } };
  });
  return { records, planned };
}

/** An address of the newest import. */
const leaverOf = (records: number) =>
  ofLeavers(FEW, (records / RECORDS_PER_IMPORT - 1) * FEW.learners).at(-1)?.user.email ?? '';

const filtersOf = (records: number): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  'no filter': {},
  'a run': { run_id: RUN },
  'a person, spelled otherwise': { email: ` ${leaverOf(records).toUpperCase()}` },
  'a person with a record in each import': { email: COLLECTIVE },
  'a course': { course: '101' },
  'a course that no record names': { course: 'none' },
  'an error': { error_code: 'user_not_found' },
  'an error that no record has': { error_code: 'user_inactive' },
});

interface Answer {
  readonly archived: readonly object[];
  readonly next_cursor: string | null;
}

/** Calls and read units of pages of the default size, with those of authorisation. */
async function readingFigures(records: number): Promise<Record<string, number>> {
  const world = await archiveWorld(records);
  const headers = { authorization: world.authorization };
  const read = async (handler: ApiHandler, query: Readonly<Record<string, string>>) => {
    const parts = { path: { company_id: COMPANY_ID }, headers, query };
    const { tally, value } = await world.measure(() => call(handler, parts));
    if (value.status !== 200) throw new Error(JSON.stringify(value.body));
    return { tally, body: value.body as Answer };
  };
  const [list, transcript] = [listArchive.on(world.services), getLearner.on(world.services)];
  const figures: Record<string, number> = {};
  const note = (name: string, { tally, body }: Awaited<ReturnType<typeof read>>) => {
    figures[`${name}: records`] = body.archived.length;
    figures[`${name}: AWS calls`] = callsOf(tally);
    figures[`${name}: read units`] = readUnitsOf(tally);
  };
  for (const [filter, query] of Object.entries(filtersOf(records))) {
    const first = await read(list, query);
    note(`archive, ${filter}, first page`, first);
    const { next_cursor: cursor } = first.body;
    if (cursor !== null) note(`archive, ${filter}, next page`, await read(list, { ...query, cursor }));
  }
  note('archive, transcript of a leaver', await read(transcript, { email: leaverOf(records) }));
  return figures;
}

/** Records on a page are for the person who looks; nobody compares whether they are more. */
export async function archiveFigures(): Promise<Record<string, number>> {
  const read = Object.entries(await readingFigures(1_000_000)).filter(([name]) => !name.endsWith(': records'));
  return { ...(await keepingFigures()), ...Object.fromEntries(read) };
}

export async function showArchive(records: number): Promise<void> {
  console.table({ ...(await keepingFigures()), ...(await readingFigures(records)) });
}
