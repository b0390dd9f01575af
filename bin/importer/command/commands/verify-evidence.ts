import { readEvidence } from '../../engine/evidence/given.ts';
import { type Verification, verifyEvidence } from '../../engine/evidence/verify.ts';
import { EVIDENCE_LIMITS, type Finding, type FindingStatus } from '../../engine/evidence/findings.ts';
import { shown } from '../../engine/ground/text.ts';
import { saidInWords } from '../advice.ts';
import { plainCommand, type RunCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { localFile } from '../files/records.ts';
import { type Output, printResult } from '../terminal.ts';

export const command = (run: RunCommand) =>
  plainCommand(
    'verify-evidence',
    'check evidence of a run, without the service: signature, imports, results, records',
    [
      'verify-evidence evidence-spring.json',
      'verify-evidence evidence-spring.json evidence-spring.records.jsonl --keys evidence-jwks.json',
    ],
  )
    .argument('<file>', 'what "evidence" saved, or the response of the service, or the JWS alone')
    .argument('[others...]', 'results as JSON Lines; the list of imports; keys')
    .option('--keys <file>', 'the keys that count, fetched from the service (default: those in the files)')
    .option('--json', 'print the result as JSON')
    .action((file, others, options) =>
      run(options, ({ output }) =>
        verifyFiles([file, ...others, ...(options.keys === undefined ? [] : [options.keys])], output),
      ),
    );

/** `verify-evidence FILE [OTHERS…]`: says in words what holds, what does not, and what evidence cannot show. */
export async function verifyFiles(paths: readonly string[], output: Output): Promise<number> {
  const given = await readEvidence(await Promise.all(paths.map(localFile)));
  const verification = await verifyEvidence(given);
  const { holds, findings, payload, kid } = verification;
  const json = {
    holds,
    kid: kid ?? null,
    keys_came_with_evidence: given.keysAreInside,
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
  printResult(output, json, lines(verification, given.keysAreInside));
  return holds ? EXIT.allApplied : EXIT.someRejected;
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

function lines({ holds, findings, payload }: Verification, keysAreInside: boolean): string[] {
  return [
    ...(payload === undefined
      ? []
      : [
          `Evidence of run ${payload.run_id} of company ${payload.company_id}, signed by ${payload.signed_by.email} (user ${payload.signed_by.user_id})`,
          `Reason: ${payload.reason}`,
          `Counts: ${Object.entries(payload.counts)
            .map(([name, count]) => `${name} ${count}`)
            .join(', ')}`,
          ...(payload.statement === undefined ? [] : statementLines(payload.statement)),
        ]),
    ...findings.map(({ status, said }) => `${MARKS[status]}${sentence(said)}`),
    'What evidence cannot show:',
    ...LIMITS.map((limit) => `  ${limit}`),
    ...(keysAreInside ? ['The keys came with the evidence. Name those that you fetched yourself with --keys.'] : []),
    holds ? 'Everything that was checked holds.' : 'Not everything holds.',
  ];
}

const statementLines = (statement: unknown): string[] => [
  'Statement of who signed:',
  ...JSON.stringify(statement, undefined, 2)
    .split('\n')
    .map((line) => `  ${line}`),
];
