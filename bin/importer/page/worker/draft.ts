/** The draft of the migration on the service (§4.11): what a person decided, at every decision. Never a row of a file. */
import * as v from 'valibot';
import { type Proposed, proposalIn } from '../../engine/decide/proposed.ts';
import { messageOf } from '../../engine/ground/errors.ts';
import { runName, shapeOf } from '../../engine/run/keys.ts';
import { ServiceError } from '../../wire/errors.ts';
import type { Run } from '../../wire/types.ts';
import { canonicalJson } from '../../wire/values.ts';
import { TEXT } from '../texts/index.ts';
import { beforeSignOut, service, signedIn } from './account.ts';
import { nameOf } from './names.ts';
import { type Open, openIn, withOpen } from './open.ts';
import { type DraftState, report } from './protocol.ts';

/** Soon enough to be there after a reload, late enough to take several clicks in one request. */
const AFTER_MS = 300;
/** Drafts of files of the same form that are looked into. */
const MOST_DRAFTS = 5;

const absent = v.pipe(
  v.unknown(),
  v.transform((): undefined => undefined),
);
/** A member that an erasure has changed, or that another client wrote, is as if it were absent. */
const lenient = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.union([schema, absent]));

const knownFile = v.object({ name: v.string(), size: v.optional(v.number()), sha256: v.string() });
/** A text in place of the cell of a column, in some lines of a file. */
const corrected = v.object({ file: v.number(), column: v.number(), text: v.string(), lines: v.array(v.number()) });

const documentSchema = v.object({
  files: lenient(v.array(knownFile)),
  reading: lenient(v.record(v.string(), v.union([v.string(), v.number()]))),
  mapping: lenient(v.record(v.string(), v.unknown())),
  courses: lenient(v.record(v.string(), v.nullable(v.number()))),
  one_course: lenient(v.nullable(v.number())),
  addresses: lenient(v.record(v.string(), v.nullable(v.string()))),
  corrections: lenient(v.array(corrected)),
  archive: lenient(v.boolean()),
  proposal_of_mapping: lenient(v.looseObject({ by: v.string(), file: v.optional(knownFile) })),
});

/** What this page notes of a migration; what other clients note beside it stays. */
export type DraftDocument = v.InferOutput<typeof documentSchema>;
export type KnownFile = v.InferOutput<typeof knownFile>;

interface Decided {
  readonly document: DraftDocument;
  /** `undefined`: the migration is planned. */
  readonly open: Open | undefined;
}

interface Draft {
  readonly run_id: string;
  readonly title: string;
  readonly shape: string | undefined;
  /** Of the service; `undefined`: it has none yet. */
  version: number | undefined;
  document: Readonly<Record<string, unknown>>;
  /** Who gets its notices by mail. */
  notify: readonly number[];
  /** What the person has said of that. */
  isMailed?: boolean;
}

let draft: Draft | undefined;
/** Collects what has to be kept, when it is sent. */
let unsent: (() => Decided) | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let writing: Promise<void> | undefined;
let isConflict = false;

export const draftDocument = (): DraftDocument => documentOf(draft?.document);

const documentOf = (given: unknown): DraftDocument => v.parse(documentSchema, given ?? {});

const show = (state: DraftState['state'], more: Partial<DraftState> = {}): void =>
  report({ draft: draft && { run_id: draft.run_id, state, isMailed: isMailed(draft), ...more } });

const isMailed = ({ notify, isMailed: is }: Draft): boolean => is ?? notify.includes(signedIn().id);

/** The person gets the notices of the open draft by mail, or no longer. The service has it with the next decision. */
export function mailNotices(isWanted: boolean): void {
  if (draft !== undefined) draft.isMailed = isWanted;
}

/** What somebody proposes about the files, in the draft. */
export const draftProposal = (): Proposed | undefined => proposalIn(draft?.document);

/** What a person sees of a draft before its file is chosen. */
const shownDraft = async (run: Run) => ({
  run_id: run.run_id,
  title: openIn(run.title).title ?? run.run_id,
  at: run.updated_at ?? run.created_at,
  by: await nameOf(typeof run.updated_by === 'number' ? run.updated_by : undefined),
  files: filesOf(documentOf(run.document)),
  proposedBy: documentOf(run.document).proposal_of_mapping?.by,
  isImported: run.status !== 'draft',
});
export type ShownDraft = Awaited<ReturnType<typeof shownDraft>>;

export function filesOf({ files, proposal_of_mapping }: DraftDocument): readonly KnownFile[] {
  return files ?? (proposal_of_mapping?.file === undefined ? [] : [proposal_of_mapping.file]);
}

const read = (run_id: string): Promise<Run> => service().getRun(run_id, { include: 'document' });

/** Goes on with a draft, from any machine. @throws ServiceError `run_not_found` */
export async function openDraft(run_id: string): Promise<ShownDraft> {
  await flushDraft();
  const run = await read(run_id);
  take(run);
  return shownDraft(run);
}

function take({ run_id, title, shape, version, document, notify }: Run): void {
  draft = {
    run_id,
    title: openIn(title).title ?? run_id,
    shape: shape ?? undefined,
    version,
    document: document ?? {},
    notify: notify ?? [],
  };
  isConflict = false;
  unsent = undefined;
  show('kept');
}

/** What is decided next is of another migration. */
export async function closeDraft(): Promise<void> {
  await flushDraft();
  draft = undefined;
  report({ draft: undefined });
}

interface NamedSource {
  readonly path: string;
  readonly sha256: string;
  readonly columns: readonly string[];
}

/** The draft of these files: the open one, or a new one, which is kept with the first decision. */
export function draftOf(sources: readonly NamedSource[]): string {
  draft ??= {
    run_id: runName(
      sources.map(({ path, sha256 }) => ({ file: { path, hash: sha256 }, mappingHash: '' })),
      crypto.randomUUID(),
    ),
    title: sources
      .map(({ path }) => path)
      .join(', ')
      .slice(0, 200),
    shape: shapeOf(sources),
    version: undefined,
    document: {},
    notify: [],
  };
  return draft.run_id;
}

/** Whether the service has one. */
export const isKept = (): boolean => draft?.version !== undefined;

/** Keeps a decision soon. @param collect returns all that is decided, when it is sent */
export function keep(collect: () => Decided): void {
  if (draft === undefined) return;
  unsent = collect;
  if (isConflict) return;
  show('unsaved');
  clearTimeout(timer);
  timer = setTimeout(() => void flushDraft(), AFTER_MS);
}

/** Resolves once nothing is left to send; what cannot be kept is shown. */
export async function flushDraft(): Promise<void> {
  clearTimeout(timer);
  writing ??= write().finally(() => {
    writing = undefined;
  });
  await writing;
}

beforeSignOut(flushDraft);

/** One request at a time. */
async function write(): Promise<void> {
  const collect = unsent;
  if (draft === undefined || collect === undefined || isConflict) return;
  unsent = undefined;
  try {
    const { document, open } = collect();
    await send(draft, { ...draft.document, ...document }, open);
  } catch (error) {
    unsent ??= collect;
    return show('failed', { code: codeOf(error) });
  }
  if (isConflict) unsent ??= collect;
  else if (unsent === undefined) show('kept');
  return write();
}

const codeOf = (error: unknown): string =>
  error instanceof ServiceError ? (error.errors[0]?.error_code ?? '') : messageOf(error);

async function send(own: Draft, document: Draft['document'], open: Open | undefined): Promise<void> {
  const { run_id, shape } = own;
  const title = open === undefined ? own.title : withOpen(own.title, open);
  const named = { title, ...(shape && { shape }) };
  try {
    if (own.version === undefined) {
      // It is sent again where its reply is lost: by then a colleague may have decided, and no decision is in it.
      const { version } = await service().saveRun(run_id, named);
      if (version > 1) return await meet(own, document, open, await read(run_id));
      own.version = version;
    }
    const run = await service().saveRun(run_id, { ...named, document, ...noticesOf(own) }, own.version);
    Object.assign(own, { ...notedIn(run), document });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 412) throw error;
    await meet(own, document, open, await read(run_id));
  }
}

/** Beside the document, which others may have changed meanwhile. */
const notedIn = ({ version, notify }: Run) => ({ version, notify: notify ?? [] });

/** The service takes so many. */
const MOST_MAILED = 10;

/** Of the others, who gets notices stays. */
function noticesOf({ notify, isMailed }: Draft) {
  if (isMailed === undefined) return {};
  const { id } = signedIn();
  const others = notify.filter((each) => each !== id);
  const language = TEXT.language === 'de' ? ('de' as const) : ('en' as const);
  return { notify: isMailed ? [id, ...others].slice(0, MOST_MAILED) : others, language };
}

/** Members that this page writes. */
const isOwn = (name: string): boolean => name !== 'proposal_of_mapping' && Object.hasOwn(documentSchema.entries, name);

/** Somebody else was first. A reply that was lost, and what others note beside our members, is no conflict. */
async function meet(own: Draft, document: Draft['document'], open: Open | undefined, run: Run): Promise<void> {
  const [before, theirs] = [ownMembers(own.document), ownMembers(run.document)];
  if (theirs === before) {
    Object.assign(own, notedIn(run));
    await send(own, { ...document, ...othersIn(run.document) }, open);
  } else if (theirs === ownMembers(document)) {
    Object.assign(own, { ...notedIn(run), document: run.document ?? {} });
  } else {
    isConflict = true;
    const { by, at } = await shownDraft(run);
    show('conflict', { by, at });
  }
}

const entriesOf = (document: unknown) => Object.entries(document ?? {});
const ownMembers = (document: unknown): string =>
  canonicalJson(Object.fromEntries(entriesOf(document).filter(([name]) => isOwn(name))));
const othersIn = (document: unknown) => Object.fromEntries(entriesOf(document).filter(([name]) => !isOwn(name)));

/** After a conflict: what was decided here takes the place of what the other person decided. */
export async function keepMine(): Promise<void> {
  if (draft === undefined) return;
  const { version, document } = await read(draft.run_id);
  Object.assign(draft, { version, document: { ...draft.document, ...othersIn(document) } });
  isConflict = false;
  await flushDraft();
}

/** What can be gone on with: a draft of these very files, and the answers of the last migration of files of this form. */
export async function offersFor(sources: readonly NamedSource[]) {
  const { runs } = await service().listRuns({ shape: shapeOf(sources), limit: 100 });
  const drafts = runs.filter(({ status, run_id }) => status === 'draft' && run_id !== draft?.run_id);
  const same = (await all(drafts.slice(0, MOST_DRAFTS))).find(({ files }) => isSame(files, sources));
  const last = runs.find(({ status }) => status !== 'draft');
  const [answers] = await all(last === undefined ? [] : [last]);
  return { same, answers };
}

const all = (runs: readonly Run[]): Promise<ShownDraft[]> =>
  Promise.all(runs.map(async ({ run_id }) => shownDraft(await read(run_id))));

/** Whether a draft is of these files. */
export const isSame = (files: readonly KnownFile[], sources: readonly NamedSource[]): boolean =>
  files.length === sources.length && sources.every(({ sha256 }, index) => files[index]?.sha256 === sha256);

/** The mapping of an earlier migration. */
export const mappingOfRun = async (run_id: string): Promise<unknown> =>
  documentOf((await read(run_id)).document).mapping;
