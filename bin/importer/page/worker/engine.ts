/** Everything that needs the engine: loaded with the first file, so that the first screen stays small. */
import { loadSentences } from '../texts/index.ts';
export { closeDraft, flushDraft, keepMine, openDraft } from './draft.ts';
export { courseTitles, suggestPeople } from './matches.ts';
export { dropMapping, offers, openFiles, openMapping, useAnswers } from './files.ts';
export { signRun, verifyEvidenceFiles } from './evidence.ts';
export { planPage } from './plan.ts';
export * from './review.ts';
export * from './run.ts';

// An earlier version of the page has kept rows in the browser.
indexedDB.deleteDatabase('course-progress-migration');

// Files that a person keeps are in the language of the page.
await loadSentences();
