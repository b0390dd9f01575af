/** Releases that must not run beside this one: each changes what is stored or sent, and names no new format. */
import type { Edit } from './builds.ts';

export const INCOMPATIBLE: Readonly<Record<string, readonly Edit[]>> = {
  'an attribute has another name': [
    ['imports/import-item.ts', "const SUMMARY = 'summary#';", "const SUMMARY = 'chunk#';"],
  ],
  'a payload has another hash': [
    [
      'imports/idempotency-key.ts',
      'return sha256(canonicalJson(body));',
      'return sha256(canonicalJson(body)).slice(1);',
    ],
  ],
  'a record has another hash': [['runtime/content-hash.ts', 'sha256(text).slice(0, 16)', 'sha256(text).slice(16, 32)']],
  'chunks have another size, which is not stored': [
    ['imports/import-item.ts', '`${first_index}+${size}:${payload_hash}`', '`${first_index / size}+1:${payload_hash}`'],
    ['imports/import-item.ts', 'size: Number(size),', 'size: 1,'],
  ],
  'an import has another status': [
    ['imports/lifecycle.ts', "=== counts.total ? 'success'", "=== counts.total ? ('complete' as 'success')"],
  ],
  'a message has no hash': [['jobs/work.ts', 'import_id chunk payload_hash subject', 'import_id chunk subject']],
  'a plan has another signature of what it writes': [
    ['records/expected.ts', 'Object.values(contentOf(write))', 'Object.values(contentOf(write)).toReversed()'],
  ],
  'an import of a plan has another id': [
    ['records/expected.ts', 'plan_id + String(place)', 'plan_id + String(place + 1)'],
  ],
  'a date is packed otherwise': [
    ['dynamodb/encoding.ts', "'$1$2$3T$4$5$6$7'", "'$1$3$2T$4$5$6$7'"],
    ['dynamodb/encoding.ts', '-${cut(-4, -2)}-${cut(-2, 0)}', '-${cut(-2, 0)}-${cut(-4, -2)}'],
  ],
};
