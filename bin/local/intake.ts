/** `POST /local/intake` of `npm start`: what the platform sends to the intake (§13.1). No deployed stack has this path. */
import type { IncomingMessage } from 'node:http';
import type { Functions } from './functions.ts';

const PATH = '/local/intake';

export type LocalIntake = (message: unknown) => Promise<unknown>;

export function intakeOf(functions: Functions): LocalIntake | undefined {
  const found = [...functions.values()].find(({ spec }) => spec.name.startsWith('Intake'));
  return found && ((message) => found.invoke(message));
}

/**
 * A page of another origin may reach this address, too: a browser names the origin, and asks before it sends JSON, which nothing
 * grants.
 */
export function isForIntake({ method, headers }: IncomingMessage, path: string): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const isJson = type.trim().toLowerCase() === 'application/json';
  return path === PATH && method === 'POST' && isJson && headers.origin === undefined;
}

/** The text of the function's result. A body that is no JSON is a message without facts, as in a queue. */
export async function toIntake(body: Buffer, intake: LocalIntake): Promise<string> {
  return `${JSON.stringify(await intake(messageIn(body)), null, 2)}\n`;
}

function messageIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
