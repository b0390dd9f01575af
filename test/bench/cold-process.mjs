// One cold start: load a bundle, invoke its handler once, print the status and the processor time, end.
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);
const context = { getRemainingTimeInMillis: () => 10_000, functionName: 'cold', awsRequestId: 'cold' };
const result = await handler(JSON.parse(event), context);
const { user, system } = process.cpuUsage();
process.stdout.write(`\ncold ${JSON.stringify({ status: result?.statusCode ?? null, cpuUs: user + system })}\n`);
process.exit(0);
