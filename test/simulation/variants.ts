/** Wrong implementations of the service. Each is a small change that looks harmless; the simulator must catch it. */
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { StagedChunk } from '../../functions/records/staged.ts';
import { planKey } from '../../functions/dynamodb/table.ts';
import { contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import { importWithoutRecords } from '../../functions/imports/import-item.ts';
import type { ImportStore } from '../../functions/imports/import-store.ts';
import type { ProgressStore } from '../../functions/imports/progress-store.ts';
import type { EveryStore } from '../kit/services.ts';
import type { Plan } from '../../functions/shared/model.ts';
import type { BrokenContext } from './services.ts';
import type { Variant } from './stack.ts';

type Input = Readonly<Record<string, unknown>>;

const inputOf = (command: object): Input => (command as { input: Input }).input;
const sortKeyOf = (command: object): string => {
  const { Item, Key } = inputOf(command) as { Item?: { sk?: string }; Key?: { sk?: string } };
  return Item?.sk ?? Key?.sk ?? '';
};
const unconditional = (command: object): Input => {
  const { ConditionExpression: _, ...rest } = inputOf(command);
  return rest;
};

/** The service with some stores in place of its own. */
export function withStores(change: (stores: EveryStore, context: BrokenContext) => Partial<EveryStore>): Variant {
  return {
    breakServices: (services, context) => ({
      ...services,
      stores: { ...services.stores, ...change(services.stores, context) },
    }),
  };
}

const withImports = (
  change: (imports: ImportStore, context: BrokenContext & { services: EveryStore }) => Partial<ImportStore>,
) =>
  withStores((stores, context) => ({
    imports: { ...stores.imports, ...change(stores.imports, { ...context, services: stores }) },
  }));

const withProgress = (change: (progress: ProgressStore, context: BrokenContext) => Partial<ProgressStore>) =>
  withStores((stores, context) => ({ progress: { ...stores.progress, ...change(stores.progress, context) } }));

const isWatchdog = ({ by }: BrokenContext): boolean => by.kind === 'watchdog';

export const VARIANTS: Readonly<Record<string, Variant>> = {
  'no watchdog': { watch: async () => {} },

  'a counter in place of set-once summaries': withImports((imports) => ({
    async setSummary(ids, _chunk, summary, due_at) {
      const item = await imports.read(ids);
      const next = Object.keys(item?.summaries ?? {}).length;
      return imports.setSummary(ids, next, summary, due_at);
    },
  })),

  'summaries and terminal status are set unconditionally': {
    breakCommand: (command) =>
      command instanceof UpdateCommand && sortKeyOf(command) === 'import'
        ? new UpdateCommand(unconditional(command) as never)
        : command,
  },

  'the plan is put after it was applied': withImports((imports) => {
    const held = new Map<number, Plan>();
    return {
      putPlan: async (_item, chunk, plan) => {
        held.set(chunk, plan);
        return plan;
      },
      setSummary: async (ids, chunk, summary, due_at) => {
        const plan = held.get(chunk);
        if (plan !== undefined) await imports.putPlan(ids, chunk, plan);
        return imports.setSummary(ids, chunk, summary, due_at);
      },
    };
  }),

  'a lost claim is overlooked': withProgress((progress) => ({
    claim: async (...claim) => {
      await progress.claim(...claim);
      return new Map();
    },
  })),

  'the last claim wins': withProgress((_, { send }) => ({
    claim: async (company_id, claims) => {
      for (const { external_record_id, ...pair } of claims) {
        await send(
          new PutCommand({
            TableName: 'table',
            Item: { pk: `${company_id}#record#${external_record_id}`, sk: 'record', ...pair },
          }),
        );
      }
      return new Map();
    },
  })),

  'dates default to the time of processing': withImports((imports, { by }) => ({
    readChunk: async (message) => {
      const read = await imports.readChunk(message);
      return read.import === undefined
        ? read
        : { ...read, import: { ...read.import, created_at: new Date(by.nowMs()).toISOString() } };
    },
  })),

  'a key is not bound to its payload': withStores((stores, { by }) => ({
    access: {
      ...stores.access,
      readAccess: async (key) => {
        const { import: committed, ...access } = await stores.access.readAccess(key);
        return by.kind === 'accept' || committed === undefined ? access : { ...access, import: committed };
      },
    },
    imports: {
      ...stores.imports,
      commit: async (item) => ({ ...(await stores.imports.commit(item)), fingerprint: item.fingerprint }),
    },
  })),

  'an import is committed over another': {
    breakCommand: (command) =>
      command instanceof PutCommand && sortKeyOf(command) === 'import'
        ? new PutCommand(unconditional(command) as never)
        : command,
  },

  'the payload is staged after the commit': withImports((imports) => {
    let staged: Parameters<ImportStore['stage']> | undefined;
    return {
      stage: async (...stage) => {
        staged = stage;
      },
      commit: async (item) => {
        const committed = await imports.commit(item);
        if (staged !== undefined) await imports.stage(...staged);
        return committed;
      },
    };
  }),

  'acknowledged before it is settled, and nobody looks again': {
    acknowledgesFailures: true,
    ...withImports((imports, context) => ({
      settle: async (ending, completed_at) => {
        if (!isWatchdog(context)) return imports.settle(ending, completed_at);
        const item = await imports.read(ending);
        if (item === undefined) throw new Error('gone');
        return { item, settled: false };
      },
    })),
  },

  'a chunk that has begun is cancelled': withImports((imports, { send }) => ({
    putPlan: async (item, chunk, plan) => {
      const isCancelled = plan.planned.some(({ result }) => result.errors[0]?.error_code === 'import_cancelled');
      if (!isCancelled) return imports.putPlan(item, chunk, plan);
      await send(new DeleteCommand({ TableName: 'table', Key: planKey(item, chunk) }));
      return imports.putPlan(item, chunk, plan);
    },
  })),

  'a cancelled chunk is begun all the same': withImports((imports) => ({
    readChunk: async (message) => {
      const { import: item, ...rest } = await imports.readChunk(message);
      return { ...rest, ...(item && { import: { ...item, cancelled_at: null } }) };
    },
    putPlan: async (item, chunk, plan) => {
      await imports.putPlan(item, chunk, plan);
      return plan;
    },
  })),

  'an import is closed before its event is sent': withImports((imports) => ({
    settle: async (item, completed_at) => {
      const outcome = await imports.settle(item, completed_at);
      await imports.close(item);
      return outcome;
    },
  })),

  'the end is told before it is written': {
    breakServices: (services) => ({
      ...services,
      stores: {
        ...services.stores,
        imports: {
          ...services.stores.imports,
          settle: async (item, completed_at) => {
            await services.events.send({
              type: 'Import Ended',
              import: importWithoutRecords({ ...item, completed_at }),
            });
            return services.stores.imports.settle(item, completed_at);
          },
        },
      },
    }),
  },

  'progress items are put whole': withProgress((_, { send }) => ({
    contribute: async (company_id, writes) => {
      for (const write of writes) {
        const Key = {
          pk: `${company_id}#learner#${write.user_id}`,
          sk: `course#${String(write.platform_course_id).padStart(16, '0')}`,
        };
        const read = (await send(new GetCommand({ TableName: 'table', Key, ConsistentRead: true }))) as {
          Item?: Input;
        };
        const own = { [contributionName(write.contribution)]: packContribution(write.contribution) };
        await send(new PutCommand({ TableName: 'table', Item: { ...Key, ...read.Item, ...own } }));
      }
    },
  })),

  'statements update whatever is stored': {
    breakCommand: (command) =>
      command instanceof BatchExecuteStatementCommand
        ? new BatchExecuteStatementCommand({ Statements: command.input.Statements?.map(withoutCondition) })
        : command,
  },

  'an overflow item is not named': {
    breakCommand: (command) =>
      command instanceof BatchExecuteStatementCommand
        ? new BatchExecuteStatementCommand({ Statements: command.input.Statements?.map(namingElsewhere) })
        : command,
  },

  'duplicates are found chunk by chunk': withImports((imports) => ({
    stage: (ids, chunks) =>
      imports.stage(
        ids,
        chunks.map(({ hash, text }) => {
          const chunk = JSON.parse(text) as StagedChunk;
          const ids = chunk.records.map(
            (record) => (record as { external_record_id?: unknown } | null)?.external_record_id,
          );
          const duplicates = chunk.duplicates.filter((index) => {
            const at = index - chunk.first_index;
            return ids.indexOf(ids[at]) < at;
          });
          return { hash, text: JSON.stringify({ ...chunk, duplicates }) };
        }),
      ),
  })),

  'the report of a dry run is kept without its attempt': withImports((imports) => ({
    putReport: (ids, _attempt, plans, days) => imports.putReport(ids, 'one', plans, days),
    dropReport: (ids, _attempt, chunks) => imports.dropReport(ids, 'one', chunks),
    readPlans: (item, chunks) => imports.readPlans({ ...item, attempt_id: 'one' }, chunks),
  })),

  'imports are given up at once': withImports((imports, context) => ({
    read: async (ids) => {
      const item = await imports.read(ids);
      const dayAgo = new Date(context.by.nowMs() - 25 * 3_600_000).toISOString();
      return item !== undefined && isWatchdog(context) ? { ...item, created_at: dayAgo, resends: 99 } : item;
    },
  })),

  'a chunk is given up without a plan': withImports((imports, context) => ({
    putPlan: async (item, chunk, plan) => (isWatchdog(context) ? plan : imports.putPlan(item, chunk, plan)),
  })),

  'keys left unprocessed count as absent': {
    breakAnswer: (response) => ('UnprocessedKeys' in response ? { ...response, UnprocessedKeys: {} } : response),
  },

  'items left unprocessed are forgotten': {
    breakAnswer: (response) => ('UnprocessedItems' in response ? { ...response, UnprocessedItems: {} } : response),
  },

  'polls read eventually': {
    breakCommand: (command, by) => (by.kind === 'poll' ? readEventually(command) : command),
  },

  'mappings are read eventually although they were changed lately': {
    breakCommand: (command) =>
      JSON.stringify(inputOf(command)['RequestItems'] ?? '').includes('#user-mappings#')
        ? readEventually(command)
        : command,
  },
};

/** Caught only where the only delivery dies after its claim. */
export const KEEPS_ABANDONED_IDS: Variant = withProgress(() => ({ freeUnused: async () => true }));

function readEventually(command: object): object {
  if (!(command instanceof BatchGetCommand)) return command;
  const [[table, request] = ['', {}]] = Object.entries(inputOf(command)['RequestItems'] as Record<string, object>);
  return new BatchGetCommand({ RequestItems: { [table]: { ...request, ConsistentRead: false } as never } });
}

type Statement = NonNullable<BatchExecuteStatementCommand['input']['Statements']>[number];

const namingElsewhere = ({ Statement = '', ...rest }: Statement): Statement => ({
  ...rest,
  Statement: Statement.replace('SET "overflow"', 'SET "elsewhere"'),
});

/** Leaves only the key of the condition. */
function withoutCondition({ Statement: text = '', Parameters = [] }: Statement): Statement {
  const Statement = text.replace(/("sk" = \?) AND .*/, '$1');
  return { Statement, Parameters: Parameters.slice(0, Statement.split('?').length - 1) };
}
