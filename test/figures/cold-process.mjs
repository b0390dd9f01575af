// One cold start: loads a bundle, invokes its handler once, prints the status (200 if it returns none) and CPU time.
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);
const context = { getRemainingTimeInMillis: () => 10_000, functionName: 'cold', awsRequestId: 'cold' };
const result = await handler(JSON.parse(event), context);
const { user, system } = process.cpuUsage();
process.stdout.write(`\nstatus ${result?.statusCode ?? 200} after ${user + system} us\n`);
process.exit(0);
