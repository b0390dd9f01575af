// One cold start: load a bundle, give its handler one event, tell the answer and the processor time, end.
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);
const context = { getRemainingTimeInMillis: () => 10_000, functionName: 'cold', awsRequestId: 'cold' };
const answer = await handler(JSON.parse(event), context);
const { user, system } = process.cpuUsage();
process.stdout.write(`\ncold ${JSON.stringify({ status: answer?.statusCode ?? null, cpuUs: user + system })}\n`);
process.exit(0);
