/**
 * Runs in a worker thread: one execution environment of one function. Loads the bundle on the first invocation, and
 * handles one invocation at a time.
 */
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { COMPILED } from './cache.ts';
import type { Invocation, InvocationEnd, ThreadData } from './function-environment.ts';

const { bundleUrl, functionName, memoryMb } = workerData as ThreadData;

enableCompileCache(COMPILED);

type Handler = (event: unknown, context: unknown) => unknown;

parentPort?.on('message', (invocation: Invocation) => void handle(invocation));

async function handle(invocation: Invocation): Promise<void> {
  const end = await run(invocation);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(end);
}

async function run({ event, requestId, deadlineMs }: Invocation): Promise<InvocationEnd> {
  try {
    const { handler } = (await import(bundleUrl)) as { handler: Handler };
    const context = {
      awsRequestId: requestId,
      functionName,
      functionVersion: '$LATEST',
      invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
      memoryLimitInMB: String(memoryMb),
      callbackWaitsForEmptyEventLoop: true,
      getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
    };
    const result = await handler(JSON.parse(event), context);
    return { result: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    return {
      fault:
        error instanceof Error
          ? { name: error.name, message: error.message }
          : { name: 'Error', message: String(error) },
    };
  }
}
