/** Everything that needs the engine: loaded with the first file, so that the first screen stays small. */
export * from './catalog.ts';
export * from './columns.ts';
export { draft, openFiles, openMapping } from './files.ts';
export * from './people.ts';
export * from './run.ts';
