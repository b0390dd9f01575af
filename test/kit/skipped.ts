/** Reports what is not checked on this machine. In CI (`CI=true`) a green run must not hide it, so there it is an error. */
export function skipped(reason: string): void {
  if (process.env['CI'] === 'true') throw new Error(`Skipped, which is a failure where CI=true. ${reason}`);
  console.log(`Skipped: ${reason}`);
}
