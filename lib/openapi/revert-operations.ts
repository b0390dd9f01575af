import { MAX_IMPORTS_PREVIEWED } from '../../functions/shared/limits.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import { accepted, ok, type OperationSpec } from './operation.ts';

const DRY_RUN = { dry_run: true };

/** §4.9: the revert of an import, or of every import of a run. */
export const REVERT_OPERATIONS = {
  'revert-import': {
    summary: 'Revert an import, or see what that would do',
    description:
      'Afterwards the state is as if the import had never been made. Results already given stay as they are. While it runs, ' +
      'imports of the company are accepted and wait. An import is reverted once, and a revert cannot be reverted: import again. ' +
      'An import that was a dry run wrote nothing, so there is nothing to revert. Safe to repeat.',
    parameters: ['ImportId'],
    request: { schema: 'RevertRequest', example: DRY_RUN },
    success: [
      ok('The report: of the dry run, or of the revert, if there is one.', 'Revert'),
      accepted('The revert is accepted and will succeed. Poll it.', 'Revert', 'Location', 'Retry-After'),
    ],
    errors: ['import_not_found', 'import_not_terminal', 'report_expired'],
  },
  'get-revert': {
    summary: 'Read the revert of an import',
    description:
      'Its status, and once it has ended the report on every record. If no revert was requested: the report that one would give.',
    parameters: ['ImportId', 'DryRun'],
    success: [ok('The revert.', 'Revert', 'Retry-After.processing')],
    errors: ['import_not_found', 'import_not_terminal', 'report_expired'],
  },
  'revert-run': {
    summary: 'Revert a run, or see what that would do',
    description:
      'Reverts, as one, every real import of the run that was accepted before and is not reverted yet. A request while a revert of the run ' +
      'runs covers the imports that were made in between, too. Imports that are sent with its `run_id` afterwards are not part of it.',
    parameters: ['RunId'],
    request: { schema: 'RevertRequest', example: DRY_RUN },
    success: [
      ok('The counts: of the dry run, or of the revert, if there is one.', 'RunRevert'),
      accepted(
        `The revert is accepted and will succeed; or the dry run of more than ${MAX_IMPORTS_PREVIEWED} imports has begun. Poll it.`,
        'RunRevert',
        'Location',
        'Retry-After',
      ),
    ],
    errors: ['run_not_found', 'import_not_terminal', 'report_expired'],
  },
  'get-run-revert': {
    summary: 'Read the revert of a run',
    description:
      'Its status and counts. Each import of it has a report of its own. If no revert was requested, or with `dry_run`: the counts that one ' +
      `would give. Of more than ${MAX_IMPORTS_PREVIEWED} imports these are those of the last dry run that was requested.`,
    parameters: ['RunId', 'DryRun'],
    success: [ok('The revert.', 'RunRevert', 'Retry-After.processing')],
    errors: ['run_not_found', 'import_not_terminal', 'report_expired'],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;
