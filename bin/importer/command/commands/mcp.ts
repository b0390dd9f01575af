import { StdioTransport } from '@tmcp/transport-stdio';
import { once } from 'node:events';
import { fetchTransport } from '../../client/index.ts';
import { SYSTEMS } from '../../systems/index.ts';
import { type CommandContext, plainCommand, type RunCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { ownSystems, systemsFolder } from '../files/own-systems.ts';
import { Mask } from '../mcp/answer.ts';
import { guarded } from '../mcp/guard.ts';
import { serverOf } from '../mcp/server.ts';
import { connect, type Connection, isLoggedIn, PATIENCE_MS } from '../session/session.ts';

const TIMEOUT_MS = 60_000;

export const command = (run: RunCommand) =>
  plainCommand(
    'mcp',
    'a server of the Model Context Protocol on standard input and output: an assistant prepares, you decide',
    ['mcp', 'mcp --folder exports'],
  )
    .option('--folder <folder>', 'files outside of it are not read', '.')
    .option('--show-addresses', 'hand out e-mail addresses as they are')
    .option('--profile <name>', 'session of its own, for another account or service')
    .action((options) =>
      run(options, async (context) => {
        const mask = new Mask(options.showAddresses === true);
        const server = serverOf(workplaceOf(context, options.folder), mask);
        new StdioTransport(server).listen();
        await once(process.stdin, 'end');
        return EXIT.allApplied;
      }),
    );

/** One connection for all calls, made by the first that needs it; one that failed is made again. */
function workplaceOf(context: CommandContext, folder: string) {
  const transport = guarded(fetchTransport(TIMEOUT_MS));
  let made: Promise<Connection> | undefined;
  const connection = (): Promise<Connection> => {
    made ??= connect(context, { patienceMs: PATIENCE_MS }, { transport }).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return {
    folder,
    connected: async () => (await connection()).client,
    isLoggedIn: isLoggedIn(context),
    page: async (screen: string) => `${(await connection()).login.base_url}/${screen}`,
    systems: [...ownSystems(systemsFolder(context.folder)), ...SYSTEMS],
  };
}
