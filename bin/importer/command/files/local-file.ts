import { open, stat } from 'node:fs/promises';
import { UsageError } from '../../engine/errors.ts';
import type { InputFile } from '../../engine/source/bytes.ts';
import { fileReason } from '../errors.ts';

/** A file of this computer for the engine. @throws UsageError if the path is not a readable regular file */
export async function localFile(path: string): Promise<InputFile> {
  const unreadable = (error: unknown): never => {
    throw new UsageError(`${path} cannot be read (${fileReason(error)}).`);
  };
  const found = await stat(path).catch(unreadable);
  if (!found.isFile())
    throw new UsageError(`${path} is not a regular file. It is read more than once, so it cannot be a pipe.`);
  return {
    name: path,
    size: found.size,
    slice: (start, end) => ({
      async arrayBuffer() {
        const file = await open(path).catch(unreadable);
        try {
          const bytes = new Uint8Array(end - start);
          const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
          return bytesRead === bytes.length ? bytes.buffer : bytes.buffer.slice(0, bytesRead);
        } finally {
          await file.close();
        }
      },
    }),
  };
}
