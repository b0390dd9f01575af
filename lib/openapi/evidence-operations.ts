import type { RouteName } from '../../functions/shared/routes.ts';
import type { OperationSpec } from './operation.ts';

/** Evidence of a run (§4.10). */
export const EVIDENCE_OPERATIONS = {
  'sign-evidence': {
    tag: 'Progress imports',
    summary: 'Sign evidence of a run',
    description:
      'Signs who moved what, when and why: a compact JWS over the imports of the run, whose digests were made when they ended. Only where the stack signs evidence.',
    parameters: ['RunId'],
    request: {
      schema: 'EvidenceRequest',
      examples: {
        migration: {
          summary: 'The end of a migration',
          value: {
            reason: 'The history of the old learning system, moved on its last day.',
            statement: { files: [{ name: 'history.csv', sha256: 'e3b0c44298fc1c149afbf4c8996fb924' }] },
          },
        },
      },
    },
    success: [{ status: 200, description: 'The signed evidence.', schema: 'SignedEvidence' }],
    errors: ['run_not_found', 'run_not_terminal'],
  },
  'list-evidence': {
    tag: 'Progress imports',
    summary: 'List what evidence of a run is made of',
    description:
      'Each import of the run with the digests of its records and results, in the order of acceptance. `imports_digest` of the evidence is the SHA-256 of these objects, each as canonical JSON (RFC 8785) and a line feed.',
    parameters: ['RunId', 'EvidenceLimit', 'Cursor'],
    success: [{ status: 200, description: 'A page of imports.', schema: 'EvidenceList' }],
    errors: ['run_not_found'],
  },
} as const satisfies Partial<Record<RouteName, OperationSpec>>;
