/**
 * Restores the table of a stack to an earlier point: `npm run restore`. Run it again after an interruption, and after the deployment
 * that it asks for: it resumes.
 *
 * Exit code 3 if a deployment has to come first, 1 if a step failed, 2 if the arguments are invalid.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { scryptPasswords } from '../../../functions/auth/passwords.ts';
import { directoryStore } from '../../../functions/catalog/directory-store.ts';
import { documentClient } from '../../../functions/dynamodb/client.ts';
import { databaseOn } from '../../../functions/dynamodb/deployed.ts';
import { platformDataStore } from '../../../functions/platform/platform-data-store.ts';
import { secureRandom, systemClock, systemWaiting } from '../../../functions/runtime/system.ts';
import { type Settings, stackName } from '../../../lib/settings.ts';
import { messageOf } from '../../importer/engine/errors.ts';
import { restore } from './restore.ts';
import type { Started } from './restore.ts';
import { type DeployedStack, deployedStack, restoredTable } from './stack.ts';

const USAGE = `usage: npm run restore -- --company COMPANY --stage STAGE --to (latest | 2026-01-31T12:00:00Z) --table NEW [--region REGION]
It closes the stack, restores its table into NEW, ends all sessions, withdraws all keys, and erases again who was erased since.
After the deployment that it asks for, the same command opens the stack. It notes in restore-STACK.json where it is.`;

const STARTED = v.object({
  to: v.string(),
  startedAtMs: v.number(),
  formerTable: v.string(),
  formerKey: v.string(),
});

interface Asked extends Pick<Settings, 'company' | 'stage'> {
  readonly to: string;
  readonly table: string;
  readonly region: string | undefined;
}

function asked(): Asked {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { company: text, stage: text, to: text, table: text, region: text } });
  const { company, stage, to, table, region } = values;
  if (company === undefined || to === undefined || table === undefined)
    throw new SyntaxError('company, to and table are required.');
  if (stage !== 'sandbox' && stage !== 'production') throw new SyntaxError('stage must be sandbox or production.');
  if (to !== 'latest' && Number.isNaN(Date.parse(to))) throw new SyntaxError('to must be latest, or a date.');
  return { company, stage, to, table, region };
}

async function main(): Promise<number> {
  const { company, stage, to, table, region } = asked();
  const name = stackName({ company, stage });
  const stack = await deployedStack(name, region);
  const note = `restore-${name}.json`;
  const started = startedIn(note) ?? startedNow(to, stack);
  if (started.to !== to)
    throw new SyntaxError(`${note} is of a restore to ${started.to}: finish that one, or delete it.`);
  writeFileSync(note, `${JSON.stringify(started)}\n`);
  const database = databaseOn({ client: documentClient({ ...(region && { region }) }), table });
  const outcome = await restore({
    started,
    table,
    stack,
    restoreTable: () => restoredTable(started.formerTable, table, to, region),
    database,
    services: {
      stores: { platform: platformDataStore(database), directory: directoryStore(database) },
      passwords: scryptPasswords(secureRandom),
      random: secureRandom,
      clock: systemClock,
    },
    say: console.log,
    sleep: systemWaiting.sleep,
  });
  if (outcome === 'opened') rmSync(note);
  return outcome === 'opened' ? 0 : 3;
}

const startedNow = (to: string, { table, signingKey }: DeployedStack): Started => ({
  to,
  startedAtMs: Date.now(),
  formerTable: table,
  formerKey: signingKey,
});

function startedIn(note: string): Started | undefined {
  return existsSync(note) ? v.parse(STARTED, JSON.parse(readFileSync(note, 'utf8'))) : undefined;
}

process.exitCode = await main().catch((error: unknown) => {
  const isUsage = error instanceof SyntaxError || error instanceof TypeError;
  console.error(isUsage ? `${messageOf(error)}\n${USAGE}` : messageOf(error));
  return isUsage ? 2 : 1;
});
