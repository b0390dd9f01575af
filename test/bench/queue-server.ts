/** The queue server as a process of its own; ends with its parent. */
import { buildApp } from 'fauxqs';

const endpoint = await buildApp({ logger: false }).listen({ host: '127.0.0.1', port: 0 });
process.send?.({ endpoint });
process.once('disconnect', () => process.exit());
