/**
 * `npm run restore`. Run it again after an interruption, and after the deployment that it asks for. Exit code 3 if a deployment or
 * facts have to come first, 1 if a step failed, 2 if the arguments are invalid.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { scryptPasswords } from '../../../functions/auth/passwords.ts';
import { directoryStore } from '../../../functions/catalog/directory-store.ts';
import { documentClient, databaseOn } from '../../../functions/dynamodb/client.ts';
import { platformDataStore } from '../../../functions/platform/platform-data-store.ts';
import { secureRandom, systemClock, systemWaiting } from '../../../functions/runtime/system.ts';
import { stackName } from '../../../lib/settings.ts';
import { messageOf } from '../../importer/engine/ground/errors.ts';
import { cliOf } from '../aws-cli.ts';
import { restore } from './restore.ts';
import type { LedgerEntry } from './ledger.ts';
import { type DeployedStack, deployedStack } from './stack.ts';
import { pointOf, restoredTable, SOURCE, sourceOf } from './table.ts';

const USAGE = `usage: npm run restore -- --company COMPANY --stage STAGE --to (latest | 2026-01-31T12:00:00Z) [--region REGION] [--without-facts]
It closes the stack, restores its table into a new one, ends all sessions, withdraws all keys, erases again who was erased since,
and shuts out the users whose access changed since. After the deployment that it asks for, the same command opens the intake, and
the API once the platform's facts are in. It notes in restore-STACK.json where it is.`;

const STARTED = v.object({ to: v.string(), table: v.string(), formerKey: v.string(), source: SOURCE });
type Started = v.InferOutput<typeof STARTED>;

function asked() {
  const text = { type: 'string' } as const;
  const options = { company: text, stage: text, to: text, region: text, 'without-facts': { type: 'boolean' } } as const;
  const { company, stage, to, region, 'without-facts': withoutFacts = false } = parseArgs({ options }).values;
  if (company === undefined || to === undefined) throw new SyntaxError('company and to are required.');
  if (stage !== 'sandbox' && stage !== 'production') throw new SyntaxError('stage must be sandbox or production.');
  if (to !== 'latest') pointOf(to);
  return { name: stackName({ company, stage }), to, region, withoutFacts };
}

async function main(): Promise<number> {
  const { name, to, region, withoutFacts } = asked();
  const stack = await deployedStack(name, region);
  const note = `restore-${name}.json`;
  const started = startedIn(note) ?? (await startedNow(name, to, stack, region));
  if (started.to !== to)
    throw new SyntaxError(`${note} is of a restore to ${started.to}: finish that one, or delete it.`);
  writeFileSync(note, `${JSON.stringify(started)}\n`);
  const { table, source } = started;
  const database = databaseOn({ client: documentClient({ ...(region && { region }) }), table });
  const outcome = await restore({
    pointMs: source.pointMs,
    table,
    isDeployed: stack.table === table && stack.signingKey !== started.formerKey,
    withoutFacts,
    stack,
    restoreTable: () => restoredTable(source, table, cliOf(region)),
    database,
    services: {
      stores: { platform: platformDataStore(database), directory: directoryStore(database) },
      passwords: scryptPasswords(secureRandom),
      random: secureRandom,
      clock: systemClock,
    },
    list: (entries) => {
      const list = `restore-${name}-facts.jsonl`;
      writeFileSync(list, entries.map((entry) => `${JSON.stringify(listed(entry))}\n`).join(''));
      return list;
    },
    say: console.log,
    sleep: systemWaiting.sleep,
  });
  if (outcome === 'opened') rmSync(note);
  return outcome === 'opened' ? 0 : 3;
}

/** A table of its own for each restore, named after its second. */
async function startedNow(name: string, to: string, stack: DeployedStack, region?: string): Promise<Started> {
  const at = new Date().toISOString().replaceAll(/[-:]|\..*/g, '');
  return {
    to,
    table: `${name}-restored-${at}`,
    formerKey: stack.signingKey,
    source: await sourceOf(stack.table, to, cliOf(region)),
  };
}

const listed = ({ forced: _, changesAccess: __, deleted, erased, ...fact }: LedgerEntry) => ({
  ...fact,
  ...(deleted && { deleted }),
  ...(erased && { erase: true }),
});

function startedIn(note: string): Started | undefined {
  return existsSync(note) ? v.parse(STARTED, JSON.parse(readFileSync(note, 'utf8'))) : undefined;
}

process.exitCode = await main().catch((error: unknown) => {
  const isUsage = error instanceof SyntaxError || error instanceof TypeError;
  console.error(isUsage ? `${messageOf(error)}\n${USAGE}` : messageOf(error));
  return isUsage ? 2 : 1;
});
