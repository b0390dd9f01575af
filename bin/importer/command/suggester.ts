/** `--suggest-with`: a program of the person's own suggests what kinds become. It reads JSON, answers JSON, and confirms nothing. */
import { spawn } from 'node:child_process';
import { checkedProposals, proposableKinds, withProposals } from '../engine/decide/proposed.ts';
import type { Findings } from '../engine/language/findings.ts';
import { UsageError } from './errors.ts';
import { saidInWords } from './advice.ts';

export interface SuggesterLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

const LIMITS: SuggesterLimits = { milliseconds: 120_000, bytes: 4_194_304 };

/**
 * The findings with the suggestions of a program. It gets `{ file, columns, kinds }` on standard input and writes
 * `{ "kinds": [{ "kind", "outcome", "date", "percent", "because" }] }`, each with one of the `outcomes` of its kind.
 *
 * @param command a line for the shell of this machine
 * @throws UsageError if it fails, writes too much or does not end; EngineError for suggestions that cannot be used
 */
export async function withSuggestionsOf(command: string, findings: Findings, limits = LIMITS): Promise<Findings> {
  const kinds = proposableKinds(findings).map(({ reason, ...kind }) => ({
    ...kind,
    reason: reason === null ? null : saidInWords(reason),
  }));
  const answer = await answerOf(command, JSON.stringify({ file: findings.file, columns: findings.why, kinds }), limits);
  return withProposals(findings, { by: command, kinds: checkedProposals(parsed(answer, command), command) });
}

function parsed(text: string, command: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${command} wrote no JSON to its standard output. Nothing was taken from it.`);
  }
}

const answerOf = (command: string, input: string, { milliseconds, bytes }: SuggesterLimits): Promise<string> =>
  new Promise((resolve, reject) => {
    // A group of its own, so that what the shell has started ends with it.
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], detached });
    const stop = (why: string): void => {
      reject(new UsageError(`${command} ${why}. Nothing was taken from it.`));
      endAll(child.pid);
    };
    const timer = setTimeout(() => stop(`did not end within ${milliseconds / 1000} s`), milliseconds);
    const pieces: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > bytes) stop(`wrote more than ${bytes} bytes`);
    });
    // A program that reads nothing closes the pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error) => stop(`cannot be started (${error.message})`));
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(pieces).toString());
      else reject(new UsageError(`${command} ended with ${code ?? 'a signal'}. Nothing was taken from it.`));
    });
  });

function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
