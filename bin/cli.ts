/** Entry of the migration command. */
import { main } from './cli/main.ts';

// Started by the launcher: with it gone, nobody waits for this process any more.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();

process.exitCode = await main(process.argv.slice(2));
