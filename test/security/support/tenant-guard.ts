/**
 * Watches every command to the database: during a migration operation, each key must begin with the caller's company.
 * Exceptions: the signing key and, once, the session, which authorise the call, and the stack's keys of evidence.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { EVIDENCE_KEYS_PARTITION, SIGNING_KEYS_PARTITION } from '../../../functions/dynamodb/table.ts';
import { planCommand } from '../../kit/memory-table/commands.ts';
import type { MemoryTable } from '../../kit/memory-table/memory-table.ts';

interface Watched {
  readonly company_id: string;
  readonly session_id?: string;
  isAuthorised: boolean;
}

export class TenantGuard {
  readonly violations: string[] = [];
  checked = 0;
  #watched: Watched | undefined;

  /** Allows only keys of this company from now on, and this session once. */
  watch(company_id: string, session_id?: string): void {
    this.#watched = {
      company_id,
      isAuthorised: session_id === undefined,
      ...(session_id === undefined ? {} : { session_id }),
    };
  }

  release(): void {
    this.#watched = undefined;
  }

  see(command: object, table: MemoryTable): void {
    const watched = this.#watched;
    if (watched === undefined) return;
    const session = `session#${watched.session_id}`;
    const partitions = partitionsOf(command, table);
    for (const pk of partitions) {
      this.checked += 1;
      const authorises = !watched.isAuthorised && (pk === session || pk === SIGNING_KEYS_PARTITION);
      if (authorises || pk === EVIDENCE_KEYS_PARTITION || pk.startsWith(`${watched.company_id}#`)) continue;
      this.violations.push(`${command.constructor.name} touched ${pk} for ${watched.company_id}`);
    }
    watched.isAuthorised ||= partitions.includes(session);
  }
}

function partitionsOf(command: object, table: MemoryTable): string[] {
  if (!(command instanceof QueryCommand)) return planCommand(command, table).keys.map(({ pk }) => pk);
  const { KeyConditionExpression = '', ExpressionAttributeValues = {} } = command.input;
  const partition = /=\s*(:\w+)/.exec(KeyConditionExpression)?.[1] ?? '';
  return [String(ExpressionAttributeValues[partition])];
}
