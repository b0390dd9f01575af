/** The codes of runs and of their evidence. */
import type { None } from './rule-codes.ts';

export interface OfFile {
  /** Name of the file; a path where there are paths. */
  readonly path: string;
}

interface OfImport {
  readonly import_id: string;
}

/** Lines from 1; `last` of several. */
export interface PlaceInFile extends OfFile {
  readonly line: number;
  readonly last?: number | undefined;
}

/** `place`: the lines with the results; `undefined` without any. */
interface OfResults extends OfImport {
  readonly place: PlaceInFile | undefined;
}

/** A part of a compact JWS that is not as it was signed. */
export type EvidencePart = 'form' | 'header' | 'payload';

export interface RunCodes {
  // Runs
  set_without_rows: { readonly name: string };
  /** Lines of a date with the other order, and of one that may be of either. */
  orders_contradict: { readonly column: string; readonly swapped: number; readonly either: number };
  file_changed_meanwhile: OfFile;
  run_reverted: { readonly run_id: string };
  run_cancelled: { readonly run_id: string };
  run_imports_missing: { readonly run_id: string; readonly missing: number };
  run_of_other_name: { readonly run_id: string };
  // Evidence
  /** Nothing in it may be believed. */
  evidence_malformed: { readonly part: EvidencePart };
  evidence_unknown_key: { readonly kid: string };
  evidence_key_misnamed: { readonly kid: string };
  evidence_forged: { readonly kid: string };
  evidence_signed: { readonly kid: string; readonly iss: string; readonly at: string };
  evidence_no_keys: None;
  evidence_no_list: None;
  evidence_imports_hold: { readonly count: number };
  evidence_imports_differ: None;
  evidence_imports_fewer: { readonly count: number; readonly signed: number };
  evidence_imports_added: { readonly count: number };
  evidence_import_reverted: OfImport & { readonly at: string };
  evidence_import_erased: OfImport;
  evidence_counts_hold: None;
  evidence_counts_differ: {
    readonly member: string;
    readonly sum: number;
    readonly signed?: number | undefined;
  };
  evidence_no_results: None;
  evidence_results_hold: { readonly count: number };
  evidence_results_differ: OfResults;
  evidence_results_erased: OfResults;
  evidence_results_counted: OfResults & { readonly count: number; readonly signed: number };
  evidence_results_moved: OfResults & { readonly index: number; readonly expected: number };
  evidence_results_unknown: OfResults;
  evidence_results_unreadable: { readonly place: PlaceInFile };
  evidence_no_digest: OfImport;
  evidence_no_records: None;
  evidence_records_hold: { readonly count: number };
  evidence_records_differ: OfResults;
  evidence_records_erased: OfResults;
  evidence_records_lacking: OfResults;
  /** What evidence cannot show. */
  limit_of_service: None;
  limit_of_statement: None;
  limit_of_day: None;
  limit_of_key: None;
  files_without_evidence: { readonly names: readonly string[] };
  file_without_keys: OfFile;
}
