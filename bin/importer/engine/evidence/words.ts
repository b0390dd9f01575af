/** What verified evidence says, in English. Another language is an object with the same keys. */
export const EVIDENCE_WORDS = {
  malformed: 'This is no evidence of a migration: its {part} is not as it was signed.',
  'unknown key':
    'The key {kid} is not among those given, so nobody can say who signed this. Fetch the keys of {iss} again.',
  forged: 'The signature does not fit: the evidence was changed, or another key signed it as {kid}.',
  signed: 'The signature holds: the key {kid} of {iss} signed it on {at}.',
  'no list': 'The list of imports is not given, so neither the imports nor their results were checked.',
  'imports hold': 'The list of imports is the one that was signed; it has {count}.',
  'imports differ':
    'The list of imports is not the one that was signed: one of them was changed, added, left out or moved.',
  'imports fewer': 'Of {signed} imports that were signed, the list has {count}: some were left out.',
  'imports added': 'Imports were added to the run after it was signed: {count}. The evidence does not speak of them.',
  'import reverted':
    'Import {import_id} was taken back on {at}, after it was signed. The evidence says what was written then, which no longer counts.',
  'import erased': 'A person was erased from import {import_id} after it was signed.',
  'counts hold': 'The counts are the sums of those of the imports.',
  'counts differ':
    'The counts that were signed are not the sums of those of the imports: {member} is {signed}, the sum is {sum}.',
  'no results': 'No results are given, so they were not checked.',
  'results hold': 'The results are those that were signed, import by import: {count}.',
  'results differ': 'Import {import_id}: its results ({place}) are not those that were signed.',
  'results erased':
    'Import {import_id}: its results ({place}) no longer match, because a person was erased from it since. What else was changed in them, if anything, cannot be seen.',
  'results counted': 'Import {import_id}: {count} of its {signed} results are given ({place}).',
  'results moved':
    'Import {import_id}: {place} has index {index} where {expected} follows: a line is missing, doubled or moved.',
  'results unknown': '{place} is of import {import_id}, which is not in the list, or comes later there.',
  'results unreadable': '{place} is no result: it must be a JSON object with import_id and index.',
  'no digest': 'Import {import_id} ended before this service made digests, so its results cannot be checked.',
  'no records': 'The results are given without the records that were sent, so those were not checked.',
  'records hold': 'The records are those that were sent and signed, import by import: {count}.',
  'records differ': 'Import {import_id}: the records ({place}) are not those that were sent and signed.',
  'records erased':
    'Import {import_id}: the records ({place}) no longer match, because a person was erased from it since. What else was changed in them, if anything, cannot be seen.',
  'records lacking': 'Import {import_id}: {place} has no record, but others have one.',
} as const;

export type EvidenceCode = keyof typeof EVIDENCE_WORDS;
export type EvidenceWords = Readonly<Record<EvidenceCode, string>>;

/** `changed`: no longer what was signed, and a revert, an erasure or a later import of the run says why. */
export type FindingStatus = 'holds' | 'differs' | 'changed' | 'unchecked';

export interface Finding {
  readonly check: 'signature' | 'imports' | 'counts' | 'results' | 'records';
  readonly status: FindingStatus;
  readonly code: EvidenceCode;
  readonly import_id?: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** What evidence cannot show, whatever holds. */
export const EVIDENCE_LIMITS: readonly string[] = [
  'It shows what the service received, did and signed. It cannot show whether the export of the old system was true or complete.',
  'The statement is the word of the person who signed: the service did not check it. Compare the SHA-256 of files that you hold.',
  'It shows the state of its day. What was taken back or erased since is in a list of imports that you fetch today.',
  'Anyone who holds the key can sign anything. You can be sure that a key belongs to the service only if you fetched the keys from it yourself.',
];

/** Fills the places of a sentence: `{count}`. */
export const filled = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
