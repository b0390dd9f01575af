// One cold start: load a bundle, invoke its handler once, print the status (200 for a function that returns none), end.
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);
const context = { getRemainingTimeInMillis: () => 10_000, functionName: 'cold', awsRequestId: 'cold' };
const result = await handler(JSON.parse(event), context);
process.stdout.write(`\nstatus ${result?.statusCode ?? 200}\n`);
process.exit(0);
