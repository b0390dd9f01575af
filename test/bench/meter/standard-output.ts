/** Hands what is written to standard output to somebody else until the returned function is called. */
export function divertOutput(take: (bytes: number) => void): () => void {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (chunk: string | Uint8Array): boolean => {
    take(Buffer.byteLength(chunk));
    return true;
  };
  return () => {
    stdout.write = write;
  };
}
