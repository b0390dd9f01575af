/** Everything that needs the engine: loaded with the first file, so that the first screen stays small. */
import { loadSentences } from '../texts/index.ts';
export { closeDraft, flushDraft, keepMine, openDraft } from './draft.ts';
export { courseTitles, findPeople } from './matches.ts';
export { dropMapping, offers, openFiles, openMapping, useAnswers } from './files.ts';
export { begunImports } from './saved.ts';
export { signRun, verifyEvidenceFiles } from './evidence.ts';
export * from './review.ts';
export * from './run.ts';

// Files that a person keeps are in the language of the page.
await loadSentences();
