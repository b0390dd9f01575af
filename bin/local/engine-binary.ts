import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartupFault } from './startup-fault.ts';

/** @throws StartupFault on a platform that the embedded engine is not made for */
export function engineBinary(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    const binary = join(dirname(manifest), 'dynoxide');
    if (existsSync(binary)) return binary;
  } catch {
    // Not installed: an optional dependency, made for one platform.
  }
  throw new StartupFault(
    `no embedded DynamoDB engine for ${process.platform}-${process.arch}: start DynamoDB Local and set ` +
      'DYNAMODB_ENDPOINT=http://127.0.0.1:8000',
  );
}
