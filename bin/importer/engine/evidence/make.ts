/** Evidence of a run (§4.10): the statement of the importer, and what an auditor checks it with. */
import { ServiceError } from '../../wire/errors.ts';
import type { EvidenceEntry, EvidenceRequest, RunListedResult, SignedEvidence } from '../../wire/types.ts';
import { MAX_STATEMENT_BYTES } from '../../wire/values.ts';
import { sha256Hex } from '../ground/digest.ts';
import { PreviewBuilder } from '../run/preview.ts';
import { type ImportRun, NO_JOURNAL, runPass } from '../run/import-run.ts';
import type { Summary } from '../run/summary.ts';
import { skippedOf } from '../run/survey.ts';
import type { RecordSource } from '../apply/record-source.ts';

interface EvidenceService {
  signEvidence(run_id: string, body: EvidenceRequest): Promise<SignedEvidence>;
  evidence(run_id: string): AsyncIterable<EvidenceEntry>;
  runRecords(run_id: string, query: { readonly include: 'record' }): AsyncIterable<RunListedResult>;
}

/**
 * What a file of evidence has: `evidence-RUN.json`. It has no keys: those that come with evidence prove nothing.
 *
 * @throws ServiceError, like `run_not_terminal`; @returns `undefined` where the stack signs no evidence
 */
export async function makeEvidence(service: EvidenceService, run_id: string, asked: EvidenceRequest) {
  try {
    const { evidence } = await service.signEvidence(run_id, asked);
    const imports: EvidenceEntry[] = [];
    for await (const each of service.evidence(run_id)) imports.push(each);
    return { evidence, imports };
  } catch (error) {
    if (error instanceof ServiceError && error.has('route_not_found')) return undefined;
    throw error;
  }
}

export async function* resultLinesOf(service: EvidenceService, run_id: string): AsyncGenerator<string> {
  for await (const result of service.runRecords(run_id, { include: 'record' })) yield `${JSON.stringify(result)}\n`;
}

/** The name of a file of evidence: a run may have any characters. */
export const evidenceName = (run_id: string): string => `evidence-${run_id.replaceAll(/[^\p{L}\p{N}._-]/gu, '_')}`;

/** After the import, what of the files the platform does not have: a dry run of its own, which is part of no run. */
export async function secondCheck(run: ImportRun, { newId, now }: { newId: () => string; now: () => number }) {
  const own = { ...run, journal: NO_JOURNAL, preview: new PreviewBuilder(now()) };
  const { summary } = await runPass(own, { attempt: newId(), run_id: null });
  return { would_change: summary.applied + summary.updated, of: summary.rows };
}

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
const nameOf = (path: string): string => path.replace(/^.*[/\\]/s, '');

/** @param mappingHash SHA-256 of the mapping file of a source, as it is saved; `undefined` without one */
export function statementOf(
  { set, survey }: Pick<ImportRun, 'set' | 'survey'>,
  summary: Summary,
  mappingHash: (source: RecordSource) => string | undefined,
  second_dry_run?: Awaited<ReturnType<typeof secondCheck>>,
): Record<string, unknown> {
  const files = set.sources.map(({ file }) => ({ name: nameOf(file.path), sha256: file.hash }));
  const byHash = new Map(set.sources.map((source) => [mappingHash(source), source]));
  const mappings = [...byHash].flatMap(([sha256, { mapping, mappingPath }]) =>
    mapping === undefined
      ? []
      : [
          {
            ...(mappingPath !== undefined && { name: nameOf(mappingPath) }),
            sha256,
            time_zone: mapping.time_zone ?? 'UTC',
            kinds: (mapping.kinds?.confirmed ?? []).map(({ values, outcome, rows }) => ({ values, outcome, rows })),
          },
        ],
  );
  const { rows, applied, updated, unchanged, rejected, rejected_by_reason, unit } = summary;
  const skipped = skippedOf(set, survey);
  const counts = { unit, rows: rows + skipped, applied, updated, unchanged, skipped, rejected };
  const rest = { counts, left_out: survey.leftOut, rejected_by_reason, ...(second_dry_run && { second_dry_run }) };
  const short = mappings.map(({ kinds, ...mapping }) => ({ ...mapping, kinds: kinds.length }));
  const sums = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  const list = { count: files.length, sha256_of_list: sha256Hex(sums) };
  // The SHA-256 of the mapping, and of the list as `sha256sum` prints it, name what has no room.
  const fitting = [
    { files, mappings, ...rest },
    { files, mappings: short, ...rest },
    { files: list, mappings: short, ...rest },
  ];
  return fitting.find((each) => bytes(each) <= MAX_STATEMENT_BYTES) ?? { files: list, counts };
}
