import { open } from 'node:fs/promises';

const PIECE_BYTES = 64 * 1024;

/** The bytes of a file in one buffer that is used again and again: a piece holds only until the next one is asked for. */
export async function* filePieces(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
