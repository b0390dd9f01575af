/** Where nothing but organic progress changes meanwhile, every verdict is the one that the rules alone give. */
import { referenceBatch } from '../../reference/record.ts';
import type { History } from '../history.ts';
import type { FinishedImport } from './finished.ts';
import { REFERENCE_WORLD } from './expected-heights.ts';
import { isOurFault } from './results.ts';

export function checkAgainstReference({ item, results, sent }: FinishedImport, history: History): void {
  for (const [at, expected] of referenceBatch(sent, REFERENCE_WORLD, item.created_at).entries()) {
    const result = results[at];
    if (result === undefined || isOurFault(result)) continue;
    const codes = result.errors.map(({ error_code }) => error_code).toSorted();
    const wanted = expected.codes.map(({ error_code }) => error_code).toSorted();
    if (codes.join() !== wanted.join())
      history.violate(`record ${item.import_id}#${at}: ${codes.join()} told, ${wanted.join()} by the rules`);
    const warnings = withoutNative(result.warnings.map(({ warning_code }) => warning_code));
    const due = withoutNative(expected.warnings);
    if (warnings !== due) history.violate(`record ${item.import_id}#${at}: warns ${warnings}, ${due} by the rules`);
  }
}

/** Whether organic progress stood above the record depends on the moment. */
function withoutNative(codes: readonly string[]): string {
  return codes
    .filter((code) => code !== 'native_progress_kept')
    .toSorted()
    .join();
}
