/** Builds the command, so that it is tested as it is shipped. */
export default async function setup(): Promise<void> {
  await import('../../../../bin/build/package.ts');
}
