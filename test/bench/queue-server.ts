/** The queue server as a process of its own; ends with its parent. */
import { queueServer } from '../../bin/local/queues.ts';

const endpoint = await queueServer().listen({ host: '127.0.0.1', port: 0 });
process.send?.({ endpoint });
process.once('disconnect', () => process.exit());
