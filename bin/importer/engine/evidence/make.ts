/** Asks the service for evidence of a run, and for what an auditor checks it with. */
import { ServiceError } from '../../wire/errors.ts';
import type {
  EvidenceEntry,
  EvidenceKeys,
  EvidenceRequest,
  RunListedResult,
  SignedEvidence,
} from '../../wire/types.ts';

export interface EvidenceService {
  signEvidence(run_id: string, body: EvidenceRequest): Promise<SignedEvidence>;
  evidence(run_id: string): AsyncIterable<EvidenceEntry>;
  evidenceKeys(): Promise<EvidenceKeys>;
  runRecords(run_id: string, query: { readonly include: 'record' }): AsyncIterable<RunListedResult>;
}

/** What a file of evidence has: `evidence-RUN.json`. */
export interface EvidenceFile {
  readonly evidence: string;
  readonly keys: EvidenceKeys;
  readonly imports: readonly EvidenceEntry[];
}

/** @throws ServiceError, like `run_not_terminal`; @returns `undefined` where the stack signs no evidence */
export async function makeEvidence(
  service: EvidenceService,
  run_id: string,
  asked: EvidenceRequest,
): Promise<EvidenceFile | undefined> {
  try {
    const { evidence } = await service.signEvidence(run_id, asked);
    const imports: EvidenceEntry[] = [];
    for await (const each of service.evidence(run_id)) imports.push(each);
    return { evidence, keys: await service.evidenceKeys(), imports };
  } catch (error) {
    if (error instanceof ServiceError && error.has('route_not_found')) return undefined;
    throw error;
  }
}

/** Every result of the run with its record, as lines of a file. */
export async function* resultLinesOf(service: EvidenceService, run_id: string): AsyncGenerator<string> {
  for await (const result of service.runRecords(run_id, { include: 'record' })) yield `${JSON.stringify(result)}\n`;
}

/** The name of a file of evidence: a run may have any characters. */
export const evidenceName = (run_id: string): string => `evidence-${run_id.replaceAll(/[^\p{L}\p{N}._-]/gu, '_')}`;
