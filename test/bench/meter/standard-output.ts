/** Passes writes to standard output to a callback until the returned function is called. */
export function divertOutput(take: (text: string | Uint8Array) => void): () => void {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (chunk: string | Uint8Array): boolean => {
    take(chunk);
    return true;
  };
  return () => {
    stdout.write = write;
  };
}
