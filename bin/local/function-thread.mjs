// @ts-check
/**
 * Runs in a worker thread: one execution environment of one function. JavaScript: what strips types takes 12 MB of a thread.
 * @import { Invocation, InvocationEnd, ThreadData } from './function-environment.ts'
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {ThreadData} */
const { bundle, compiled, name: functionName, memoryMb } = workerData;
const { href } = pathToFileURL(join(bundle, 'index.mjs'));

enableCompileCache(compiled);

parentPort?.on('message', (invocation) => void handle(invocation));

/** @param {Invocation} invocation */
async function handle(invocation) {
  const end = await run(invocation);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(end);
}

/** @type {(invocation: Invocation) => Promise<InvocationEnd>} */
async function run({ event, requestId, deadlineMs }) {
  try {
    const { handler } = await import(href);
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
