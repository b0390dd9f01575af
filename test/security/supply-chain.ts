/**
 * `npm run test:security -- --supply-chain`: known weaknesses of each lock file, the signatures and attestations that the registry
 * has of the installed packages, and a package's Node beside nodejs.org's. What does not answer is NOT CHECKED; where nodejs.org
 * answers, an audit without an answer fails.
 * `-- --secrets`: a search of every commit; needs Go.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bytesFrom, packagedNode } from './packaged-node.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const GITLEAKS = 'github.com/zricethezav/gitleaks/v8@v8.30.0';

interface Report {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
  readonly message?: string;
}

/** What `npm audit` says of a folder: how many weaknesses by severity, or why there is no answer. */
function weaknesses(folder: string): Readonly<Record<string, number>> | string {
  const options = ['audit', '--json', '--package-lock-only'];
  const { stdout, error } = spawnSync('npm', options, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
  if (error !== undefined) return error.message;
  const { metadata, message } = (stdout === '' ? {} : JSON.parse(stdout)) as Report;
  return metadata?.vulnerabilities ?? message ?? 'npm printed nothing';
}

/** Whether nothing severe is known; with `isRequired`, no answer from the registry is a failure. */
function auditIsClean(isRequired: boolean): boolean {
  const found = lockedFolders().map((folder) => ({ folder, found: weaknesses(join(PROJECT, folder)) }));
  for (const each of found) {
    const text = typeof each.found === 'string' ? `NOT CHECKED: ${each.found}` : JSON.stringify(each.found);
    console.log(`known weaknesses, ${each.folder}: ${text}`);
  }
  return found.every(({ found: each }) =>
    typeof each === 'string' ? !isRequired : !((each['high'] ?? 0) + (each['critical'] ?? 0)),
  );
}

export function lockedFolders(): string[] {
  const files = globSync('**/package-lock.json', { cwd: PROJECT, exclude: ['**/node_modules', '.build', 'cdk.out'] });
  return files.map((file) => dirname(file)).toSorted();
}

export function historyIsClean(): boolean {
  const folder = join(PROJECT, 'node_modules/.cache/gitleaks');
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder };
  const { status, stderr, error } = spawnSync('go', ['install', GITLEAKS], { env, encoding: 'utf8' });
  if (error !== undefined || status !== 0) {
    console.log(`secrets: NOT CHECKED: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
    return true;
  }
  const source = existsSync(join(PROJECT, '.git')) ? 'git' : 'dir';
  const options = [source, '--no-banner', '--redact', '--config', join(import.meta.dirname, 'gitleaks.toml'), PROJECT];
  return spawnSync(join(folder, 'gitleaks'), options, { stdio: 'inherit' }).status === 0;
}

interface Signed {
  readonly name: string;
  readonly version: string;
}

/** What `npm audit signatures` printed: an invalid signature is no good, a package without one is only named. */
export function signaturesIn(stdout: string, stderr: string): { readonly text: string; readonly isGood: boolean } {
  const printed = stdout.includes('{') ? (JSON.parse(stdout.slice(stdout.indexOf('{'))) as object) : {};
  if (!('invalid' in printed && 'missing' in printed)) {
    const { error } = printed as { readonly error?: { readonly summary?: string } };
    const reason = error?.summary ?? (stderr.trim() || 'npm printed nothing');
    return { text: `NOT CHECKED: ${reason}`, isGood: true };
  }
  const { invalid, missing } = printed as { readonly invalid: readonly Signed[]; readonly missing: readonly Signed[] };
  const named = (some: readonly Signed[]) => some.map(({ name, version }) => ` ${name}@${version}`).join('');
  const unsigned = `NOT CHECKED, because the registry has no signature of them: ${missing.length}${named(missing)}`;
  return { text: `invalid: ${invalid.length}${named(invalid)}; ${unsigned}`, isGood: invalid.length === 0 };
}

function signaturesAreValid(): boolean {
  const options = { cwd: PROJECT, encoding: 'utf8', timeout: 120_000 } as const;
  const { stdout, stderr, error } = spawnSync('npm', ['audit', 'signatures', '--json'], options);
  const { text, isGood } = signaturesIn(stdout ?? '', error?.message ?? stderr);
  console.log(`signatures and attestations of packages: ${text}`);
  return isGood;
}

export async function packagesAreClean(): Promise<boolean> {
  const { found, isGood } = await packagedNode(join(PROJECT, 'node_modules'), bytesFrom);
  console.log(`Node of a package: ${found}`);
  const isSigned = signaturesAreValid();
  return auditIsClean(isGood !== undefined) && isSigned && isGood !== false;
}
