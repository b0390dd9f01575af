/** Tools about what is on the service: they read runs, and prepare one for a person. */
import { basename } from 'node:path';
import * as v from 'valibot';
import type { MigrationClient } from '../../client/index.ts';
import { differs } from '../../engine/decide/outcomes.ts';
import { nameOfKind, proposal, withProposals } from '../../engine/decide/proposed.ts';
import type { Findings, Suggestion } from '../../engine/language/findings.ts';
import { hasCode } from '../session/session.ts';
import { refuseUndecided } from '../../engine/decide/confirm.ts';
import { recordSetOf } from '../../engine/apply/record-set.ts';
import { shapeOf } from '../../engine/run/keys.ts';
import { leftOutRows, surveyOf } from '../../engine/run/survey.ts';
import { UsageError } from '../errors.ts';
import { openRecordFile } from '../files/records.ts';
import { MOST_ROWS } from './answer.ts';
import { chosen, findingsOf, ofFile, opened } from './file-tools.ts';
import { fileIn, text, tool } from './tool.ts';

const run = v.pipe(text('name of the run'), v.minLength(1), v.maxLength(128));

/** For more, a person has the command. */
const MOST_RECORDS = 20_000;
const MOST_REJECTED = 2000;
const MOST_PROPOSED = 500;

const OUTCOMES =
  'certified: an exam was passed, or a course without one completed. completed: completed, and no exam is said to be passed. failed: an exam was not passed';
const describedProposal = v.strictObject({
  ...proposal.entries,
  kind: text('its name in the list of kinds'),
  outcome: v.pipe(proposal.entries.outcome, v.description(OUTCOMES)),
  date: v.nullish(text('column of its day, or ":import day" where the file has none')),
  percent: v.nullish(text('column of the percentage')),
});

const proposeMapping = tool({
  name: 'propose_mapping',
  description:
    'Keeps suggestions for kinds of rows, each with its reason, as a draft of a run, for a person to confirm one by one. It replaces what was proposed for that run before. It confirms nothing, and no row of these kinds is imported until a person has.',
  schema: v.strictObject({
    ...ofFile,
    choices: chosen,
    run,
    by: v.pipe(text('who proposes: your name and model'), v.minLength(1), v.maxLength(100)),
    kinds: v.pipe(v.array(describedProposal), v.minLength(1), v.maxLength(MOST_PROPOSED)),
  }),
  isReadOnly: false,
  run: async ({ choices, run: run_id, by, kinds, ...asked }, workplace) => {
    const client = await workplace.connected();
    const source = await opened(workplace, asked);
    const findings = await findingsOf(source, choices, workplace);
    const proposed = kindsOf(withProposals(findings, { by, kinds }));
    const { document, version } = await draftOf(client, run_id);
    const file = { name: basename(asked.file), sha256: source.sha256 };
    const proposal_of_mapping = { by, file, choices, kinds: proposed };
    const known = version === undefined ? { title: file.name, shape: shapeOf([source]) } : {};
    await client.saveRun(run_id, { ...known, document: { ...document, proposal_of_mapping } }, version);
    const page = await workplace.page(`#/file?run=${encodeURIComponent(run_id)}`);
    return { run: run_id, confirmed: 0, a_person_confirms_at: page, kinds: proposed.slice(0, MOST_ROWS) };
  },
});

const chosenIn = ({ outcome, date, percent }: Suggestion) => ({ outcome, date, percent });

/** What is proposed, beside what we would suggest: where they differ first. */
function kindsOf({ kinds }: Findings) {
  return kinds
    .flatMap((kind) => {
      const { values, rows, proposed, suggested } = kind;
      if (proposed?.reason?.code !== 'proposed_by') return [];
      const because = proposed.reason.params.text;
      const both = { proposed: chosenIn(proposed), because, suggested: chosenIn(suggested), differs: differs(kind) };
      return [{ kind: nameOfKind(kind), values, rows, ...both }];
    })
    .toSorted((a, b) => Number(b.differs) - Number(a.differs));
}

/** The draft as it is; of a run that is not there, nothing. @throws UsageError for a run that has begun */
async function draftOf(client: MigrationClient, run_id: string) {
  try {
    const { status, document, version } = await client.getRun(run_id, { include: 'document' });
    if (status !== 'draft') throw new UsageError(`Run ${run_id} has imports already. Name another run.`);
    return { document: document ?? {}, version };
  } catch (error) {
    if (hasCode(error, 'run_not_found')) return { document: {}, version: undefined };
    throw error;
  }
}

const dryRun = tool({
  name: 'dry_run',
  description:
    'Checks the records of a file on the service, by the mapping beside it that a person has confirmed (at the address of a proposal, or by init-mapping FILE --proposed RUN); rows of other kinds are not sent. Nothing is imported: it answers what an import would do, and the ids that a plan is made of.',
  schema: v.strictObject({
    ...ofFile,
    run,
    mapping: v.optional(text('mapping file; by default the one beside the export')),
  }),
  isReadOnly: false,
  run: async ({ file, run: run_id, mapping, ...sheet }, workplace) => {
    const client = await workplace.connected();
    const named = mapping === undefined ? {} : { mapping: fileIn(workplace, mapping) };
    const source = await openRecordFile(fileIn(workplace, file), { ...named, ...sheet });
    refuseUndecided(source.mapping, file);
    const set = await recordSetOf([source], async () => client);
    const survey = await surveyOf(set);
    if (survey.records > MOST_RECORDS)
      throw new UsageError(`${file} has more than ${MOST_RECORDS} records. A person checks it with the command.`);
    const counts = { total: 0, succeeded: 0, failed: 0, with_warnings: 0 };
    const import_ids: string[] = [];
    for await (const { records } of set.chunks()) {
      if (records.length === 0) continue;
      const { import: checked } = await client.startImport({ dry_run: true, run_id, records });
      import_ids.push(checked.import_id);
      for (const name of ['total', 'succeeded', 'failed', 'with_warnings'] as const)
        counts[name] += checked.counts[name];
    }
    const { unconfirmed: not_confirmed_by_a_person, repeats: repeated } = survey;
    const rows_not_sent = { not_confirmed_by_a_person, repeated, left_out: leftOutRows(survey) };
    return { run: run_id, counts, rows_not_sent, import_ids };
  },
});

const ids = v.array(text('one of the ids that a dry run answered: name all'));

const plan = tool({
  name: 'plan',
  description:
    'Closes dry runs of a run in a plan with a digest of what was asked for and found. It takes the place of an earlier plan. Nothing is imported: a person approves the plan and applies it, and no tool does.',
  schema: v.strictObject({ run, import_ids: v.pipe(ids, v.minLength(1), v.maxLength(20_000)) }),
  isReadOnly: false,
  run: async ({ run: run_id, import_ids }, workplace) => {
    const { status, plan_digest, counts, expires_at } = await (await workplace.connected()).planRun(run_id, import_ids);
    const a_person_decides_at = await workplace.page(`#/run?id=${encodeURIComponent(run_id)}`);
    return { run: run_id, status, plan_digest, counts, expires_at, a_person_decides_at };
  },
});

const explainRejected = tool({
  name: 'explain_rejected',
  description: `Why records of a run (what it has imported), or of one dry run (by its import_id), are rejected: each cause with its number of records and examples, ${MOST_ROWS} in all, as they were sent. It mends and sends nothing.`,
  schema: v.strictObject({ run: v.exactOptional(run), import_id: v.exactOptional(text('id that a dry run answered')) }),
  isReadOnly: true,
  run: async (asked, workplace) => {
    const client = await workplace.connected();
    const causes = new Map<string, Cause>();
    const codes = new Map<string, number>();
    let read = 0;
    for await (const { external_record_id, errors, record } of rejectedOf(client, asked)) {
      if ((read += 1) > MOST_REJECTED) break;
      for (const { error_code, message } of errors) {
        const cause = causes.get(message) ?? { error_code, message, records: 0, examples: [] };
        cause.records += 1;
        cause.examples.push({ external_record_id, record });
        causes.set(message, cause);
        codes.set(error_code, (codes.get(error_code) ?? 0) + 1);
      }
    }
    const is_all = read <= MOST_REJECTED;
    const facts = { read: is_all ? read : MOST_REJECTED, is_all, codes: Object.fromEntries(codes) };
    return { ...facts, different: causes.size, causes: withFewExamples([...causes.values()]) };
  },
});

interface Cause {
  readonly error_code: string;
  readonly message: string;
  records: number;
  readonly examples: unknown[];
}

function rejectedOf(client: MigrationClient, { run: id, import_id }: { run?: string; import_id?: string }) {
  const query = { status: 'error', include: 'record' } as const;
  if (import_id !== undefined) return client.records(import_id, query);
  if (id !== undefined) return client.runRecords(id, query);
  throw new UsageError('Name a run, or the import_id of a dry run.');
}

/** As many of each cause, most records first. */
function withFewExamples(causes: readonly Cause[]) {
  const shown = causes.toSorted((a, b) => b.records - a.records).slice(0, MOST_ROWS);
  const most = Math.max(1, Math.floor(MOST_ROWS / Math.max(1, shown.length)));
  return shown.map((cause) => ({ ...cause, examples: cause.examples.slice(0, most) }));
}

const listRuns = tool({
  name: 'list_runs',
  description: `Runs of the company, newest first, ${MOST_ROWS} a call. It changes none of them.`,
  schema: v.strictObject({ cursor: v.exactOptional(text('`next_cursor` of the call before')) }),
  isReadOnly: true,
  run: async (query, workplace) => (await workplace.connected()).listRuns({ limit: MOST_ROWS, ...query }),
});

const readRun = tool({
  name: 'read_run',
  description: 'Status and counts of a run. It neither applies, cancels nor reverts it.',
  schema: v.strictObject({ run }),
  isReadOnly: true,
  run: async ({ run: run_id }, workplace) => (await workplace.connected()).getRun(run_id),
});

const whatARevertWouldDo = tool({
  name: 'what_a_revert_would_do',
  description:
    'How many records of a run that has imported some a revert would take back; a draft is not found. Nothing is taken back: a person does that.',
  schema: v.strictObject({ run }),
  isReadOnly: true,
  run: async ({ run: run_id }, workplace) => (await workplace.connected()).getRunRevert(run_id),
});

export const SERVICE_TOOLS = [proposeMapping, dryRun, plan, explainRejected, listRuns, readRun, whatARevertWouldDo];
