/** Services that are wrong in what clients see. The checks must find each. */
import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Variant } from '../simulation/stack.ts';

type Input = Readonly<Record<string, unknown>>;

/** Reads that may miss the writes of the last second. */
function eventual(command: object): object {
  const { input } = command as { input: Input };
  if (command instanceof GetCommand) return new GetCommand({ ...input, ConsistentRead: false } as never);
  if (command instanceof QueryCommand) return new QueryCommand({ ...input, ConsistentRead: false } as never);
  if (!(command instanceof BatchGetCommand)) return command;
  const [[table, request] = ['', {}]] = Object.entries(input['RequestItems'] as Record<string, object>);
  return new BatchGetCommand({ RequestItems: { [table]: { ...request, ConsistentRead: false } as never } });
}

const withEventual = (kind: string): Variant => ({
  breakCommand: (command, by) => (by.kind === kind ? eventual(command) : command),
});

/** By what finds them: reads that are in no order, or polls that go back. */
export const PLANTED: Readonly<Record<'reads' | 'polls', Readonly<Record<string, Variant>>>> = {
  reads: {
    'the transcript is read eventually': withEventual('transcript'),
    'the audit is read eventually': withEventual('audit'),
    'a write is lost': {
      breakServices: (services) => {
        const { progress } = services.stores;
        const contribute: typeof progress.contribute = (company_id, writes) =>
          progress.contribute(
            company_id,
            writes.filter(({ contribution }) => contribution.completion_pct !== 70),
          );
        return { ...services, stores: { ...services.stores, progress: { ...progress, contribute } } };
      },
    },
    'a revert removes nothing': {
      breakServices: (services) => {
        const { reverts } = services.stores;
        const remove: typeof reverts.remove = async () => {};
        return { ...services, stores: { ...services.stores, reverts: { ...reverts, remove } } };
      },
    },
  },
  polls: { 'polls are read eventually': withEventual('poll') },
};
