import { Option } from '@commander-js/extra-typings';
import { fetchEvidenceKeys } from '../../client/evidence-keys.ts';
import { readEvidence, readKeys } from '../../engine/evidence/given.ts';
import { type Verification, verifyEvidence } from '../../engine/evidence/verify.ts';
import type { EvidencePayload, EvidencePlan } from '../../engine/evidence/jws.ts';
import { EVIDENCE_LIMITS, type Finding, type FindingStatus } from '../../engine/evidence/findings.ts';
import { shown } from '../../engine/ground/text.ts';
import { saidInWords } from '../advice.ts';
import { plainCommand, type RunCommand } from '../command.ts';
import { explained } from '../session/session.ts';
import { checkedUrl } from './login.ts';
import { EXIT } from '../errors.ts';
import { localFile } from '../files/records.ts';
import { type Output, printResult } from '../terminal.ts';

export const command = (run: RunCommand) =>
  plainCommand('verify-evidence', 'check evidence of a run, without an account: signature, imports, results, records', [
    'verify-evidence evidence-spring.json --url https://history.example',
    'verify-evidence evidence-spring.json evidence-spring.records.jsonl --keys evidence-jwks.json',
  ])
    .argument('<file>', 'what "evidence" saved, or the response of the service, or the JWS alone')
    .argument('[others...]', 'results as JSON Lines; the list of imports')
    .addOption(new Option('--keys <file>', 'public keys that you fetched from the service yourself').conflicts('url'))
    .option('--url <url>', 'address of the service, to fetch its public keys from')
    .option('--json', 'print the result as JSON')
    .action((file, others, options) =>
      run(options, async ({ output }) => verifyFiles([file, ...others], await givenKeys(options), output)),
    );

/** Keys in the files of evidence prove nothing. @throws UsageError, EngineError, ServiceError, ServiceUnreachable */
export async function givenKeys(from: {
  readonly keys?: string | undefined;
  readonly url?: string | undefined;
}): Promise<readonly unknown[] | undefined> {
  if (from.keys !== undefined) return readKeys(await localFile(from.keys));
  if (from.url === undefined) return undefined;
  const baseUrl = checkedUrl(from.url);
  return explained(fetchEvidenceKeys(baseUrl), {
    route_not_found: `${baseUrl} signs no evidence, and so publishes no keys of it.`,
  });
}

/** `verify-evidence FILE [OTHERS…]`: says in words what holds, what does not, and what evidence cannot show. */
export async function verifyFiles(
  paths: readonly string[],
  keys: readonly unknown[] | undefined,
  output: Output,
): Promise<number> {
  const given = await readEvidence(await Promise.all(paths.map(localFile)));
  const verification = await verifyEvidence({ ...given, keys });
  const { holds, findings, payload, kid } = verification;
  const json = {
    holds,
    kid: kid ?? null,
    keys_came_with_evidence: given.hasKeys,
    evidence: payload ?? null,
    findings: findings.map(({ check, status, said, ...place }) => ({
      check,
      status,
      code: codeOf(said),
      ...place,
      text: sentence(said),
    })),
    cannot_show: LIMITS,
  };
  printResult(output, json, lines(verification, given.hasKeys));
  return holds === true ? EXIT.allApplied : EXIT.someRejected;
}

/** `imports hold`, as the JSON of every release has it. */
const codeOf = ({ code }: Finding['said']): string => code.replace('evidence_', '').replaceAll('_', ' ');

const sentence = (said: Finding['said']): string => shown(saidInWords(said));

const LIMITS: readonly string[] = EVIDENCE_LIMITS.map(saidInWords);

const MARKS: Readonly<Record<FindingStatus, string>> = {
  holds: 'holds        ',
  differs: 'DIFFERS      ',
  changed: 'NO LONGER    ',
  unchecked: 'not checked  ',
};

function lines({ holds, findings, payload }: Verification, hasKeys: boolean): string[] {
  return [
    ...(payload === undefined
      ? []
      : [
          `Evidence of run ${payload.run_id} of company ${payload.company_id}, ${holds === null ? 'as it says ' : ''}signed by ${signerOf(payload)}`,
          `Reason: ${payload.reason}`,
          ...(payload.plans ?? []).map(planLine),
          `Counts: ${Object.entries(payload.counts)
            .map(([name, count]) => `${name} ${count}`)
            .join(', ')}`,
          ...(payload.statement === undefined ? [] : statementLines(payload.statement)),
        ]),
    ...findings.map(({ status, said }) => `${MARKS[status]}${sentence(said)}`),
    'What evidence cannot show:',
    ...LIMITS.map((limit) => `  ${limit}`),
    ...(hasKeys ? ['Keys came with the evidence. They prove nothing, so they were not used.'] : []),
    holds === null ? UNPROVEN : holds ? 'Everything that was checked holds.' : 'Not everything holds.',
  ];
}

const signerOf = ({ signed_by }: EvidencePayload): string =>
  'email' in signed_by
    ? `${signed_by.email} (user ${signed_by.user_id})`
    : `${signed_by.name} (client ${signed_by.client_id})`;

const userOf = (user_id: number | null): string => (user_id === null ? 'a machine' : `user ${user_id}`);

function planLine(plan: EvidencePlan): string {
  const { plan_digest, created_by, approved_by, approved_at, comment, applied_by, applied_at } = plan;
  const reason = comment === null ? '' : ` (“${shown(comment)}”)`;
  const approval =
    approved_at === null ? 'approved by nobody' : `approved by ${userOf(approved_by)} on ${approved_at}${reason}`;
  return `Plan ${plan_digest}: made by ${userOf(created_by)}, ${approval}, applied by ${userOf(applied_by)} on ${applied_at}`;
}

const UNPROVEN =
  'Whether it holds is not known: the signature was not checked. Name the address of the service with --url, or keys that you fetched yourself with --keys.';

const statementLines = (statement: unknown): string[] => [
  'Statement of who signed:',
  ...JSON.stringify(statement, undefined, 2)
    .split('\n')
    .map((line) => `  ${line}`),
];
