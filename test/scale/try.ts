import { deploymentOf } from './deployment.ts';
import { LoadedStack } from './stack.ts';
import { load, learnersFor, recordsOf } from './workload.ts';
const N = Number(process.argv[2] ?? 20_000), warm = Number(process.argv[3] ?? 40_000), processors = Number(process.argv[4] ?? 30), open = Number(process.argv[5] ?? 64);
const t0 = performance.now();
const stack = new LoadedStack({ seed: 1, isGatewayOpen: true, deployment: deploymentOf({ ...(warm > 4000 && { warm }), processors }) });
const company = { company_id: 'acme', people: learnersFor(N), namedBy: 'external ids' as const };
console.log('template', performance.now() - t0);
stack.simulation.touch();
await load(stack.stores, company);
console.log('loaded', performance.now() - t0);
let next = 0;
await stack.run(async () => {
  await Promise.all(Array.from({ length: open }, async () => {
    while (next < N / 500) { const records = recordsOf(next++, company); await stack.follow({ company_id: 'acme', records }); }
  }));
});
const o = stack.observations;
const t = o.terminalMs().sort((a, b) => a - b);
console.log({ sustained: o.sustained, applied: o.appliedRecords, open: o.open, p50: t[t.length >> 1], p99: t[Math.floor(t.length * .99)], max: t.at(-1), after: o.slowestAfterThrottleMs,
 deliveries: o.deliveries, failed: o.failedDeliveries, chunks: o.failedChunks, dead: stack.queue.deadLetters, hot: stack.database.hottest, units: stack.database.units, wpr: stack.database.units.writes / N, rpr: stack.database.units.reads / N, wthr: o.sumOf('WriteThrottleEvents'), rthr: o.sumOf('ReadThrottleEvents'),
 calls: stack.database.calls, gb: stack.functions.processor.gbSeconds, inv: stack.functions.processor.invocations, starts: stack.functions.processor.starts, virt: (stack.simulation.nowMs - Date.UTC(2026,0,5,8))/1000, s: (performance.now() - t0) / 1000, mb: process.memoryUsage().rss / 1e6 });
