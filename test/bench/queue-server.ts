/** The queue server as a process of its own; ends with its parent. */
import { startQueueServer } from '../../bin/local/queues.ts';

const server = await startQueueServer();
process.send?.({ endpoint: server.endpoint });
process.once('disconnect', () => process.exit());
