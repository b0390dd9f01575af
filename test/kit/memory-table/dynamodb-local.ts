/**
 * The stores' contract and the differential test on AWS's DynamoDB Local, where Java 17 is present.
 * It has AWS's own licence, so it is fetched when it is first needed, and is no dependency.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hasJava } from '../../../bin/local/engine/dynamodb-local.ts';
import { startEngine } from '../../../bin/local/engine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SUITES = ['test/dynamodb/contract.test.ts', 'test/kit/memory-table'];

if (await hasJava()) {
  const engine = await startEngine(undefined, null);
  const env = { ...process.env, DYNAMODB_ENDPOINT: engine.endpoint };
  const tests = spawn('npx', ['vitest', 'run', ...SUITES], { cwd: ROOT, env, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  await engine.stop();
  process.exitCode = code ?? 1;
} else {
  console.log('DynamoDB Local needs Java 17, which is not here: nothing was tested');
}
