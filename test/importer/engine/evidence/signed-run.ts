/** Evidence of a run with digests of the service's own code, and the run's results as they are listed. */
import type { Signer } from '../../../../functions/auth/tokens.ts';
import { countsOfRun } from '../../../../functions/imports/run-counts.ts';
import { digestOf } from '../../../../functions/imports/results.ts';
import type { EvidenceEntry } from '../../../../bin/importer/wire/types.ts';
import type { GivenResult } from '../../../../bin/importer/engine/evidence/results.ts';
import { Dice } from '../../../kit/dice.ts';

export const SIGNED_AT = Date.parse('2026-03-01T12:00:00Z');

export interface SignedRun {
  readonly evidence: string;
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  readonly imports: readonly EvidenceEntry[];
  /** Lines of `runs/{run_id}/records?include=record`. */
  readonly lines: readonly string[];
}

const PLANS = [
  {
    plan_digest: 'a1'.repeat(32),
    created_by: null,
    approved_by: 2,
    approved_at: '2026-03-01T09:00:00.000Z',
    comment: 'As agreed',
    applied_by: 1,
    applied_at: '2026-03-01T10:00:00.000Z',
  },
];

const TEXTS = ['Añadió «uno»', '\u{1f600} \ufb33', 'a"b\\c\u0007', '', 'Ωmega'];
const NUMBERS = [0, 33.33, 100, 1e21, 1.5e-7, -1, 123456.789, 2 ** 53];

function resultOf(import_id: string, index: number, dice: Dice) {
  const isError = dice.oneIn(4);
  const progress = {
    user_id: dice.below(900),
    platform_course_id: 101,
    completion_pct: dice.pick(NUMBERS),
    completed_at: '2024-02-03T00:00:00.000Z',
  };
  return {
    import_id,
    index,
    external_record_id: `r-${import_id}-${index}`,
    status: isError ? 'error' : 'success',
    outcome: isError ? null : 'applied',
    progress: isError ? null : progress,
    errors: isError ? [{ error_code: 'invalid_record', message: dice.pick(TEXTS) }] : [],
    warnings: [],
    record: {
      external_record_id: `r-${import_id}-${index}`,
      user: { email: dice.pick(TEXTS) },
      '\ufb33': 1,
      '\u{1f600}': dice.pick(NUMBERS),
    },
  };
}

const SIZES = [3, 1, 4];

/** @param changed members of what is signed that are not as the service writes them */
export async function signedRun(
  signer: Signer,
  changed: { readonly header?: object; readonly payload?: object } = {},
): Promise<SignedRun> {
  const dice = new Dice(46);
  const results = SIZES.map((size, position) =>
    Array.from({ length: size }, (_, index) => resultOf(`import${position}`, index, dice)),
  );
  const imports = results.map((own, position): EvidenceEntry => {
    const failed = own.filter(({ status }) => status === 'error').length;
    return {
      import_id: `import${position}`,
      created_at: `2026-03-01T1${position}:00:00.000Z`,
      created_by: 1,
      completed_at: `2026-03-01T1${position}:00:05.000Z`,
      cancelled_at: null,
      reverted_at: null,
      counts: {
        total: own.length,
        processed: own.length,
        succeeded: own.length - failed,
        failed,
        with_warnings: 0,
        archived: failed,
      },
      records_digest: digestOf(own.map(({ record }) => record)),
      results_digest: digestOf(own.map(({ record: _, ...result }) => result)),
    };
  });
  const { kid, jwk } = await signer.publicKey();
  const payload = {
    iss: 'https://stack.test',
    iat: SIGNED_AT / 1000,
    company_id: 'acme',
    run_id: 'spring',
    version: '1.0.0',
    signed_by: { user_id: 1, email: 'admin@acme.test' },
    reason: 'The last day of the old system',
    plans: PLANS,
    counts: countsOfRun(imports),
    imports_digest: digestOf(imports),
    imports: imports.length,
    ...changed.payload,
  };
  const input = [{ alg: 'ES256', typ: 'migration-evidence+jwt', kid, ...changed.header }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const evidence = `${input}.${Buffer.from(await signer.sign(Buffer.from(input))).toString('base64url')}`;
  return {
    evidence,
    keys: [{ ...jwk, kid, use: 'sig', alg: 'ES256' }],
    imports,
    lines: results.flat().map((result) => JSON.stringify(result)),
  };
}

export async function* given(lines: readonly string[]): AsyncGenerator<GivenResult> {
  for (const [index, text] of lines.entries()) yield { file: 'results.jsonl', line: index + 1, value: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
