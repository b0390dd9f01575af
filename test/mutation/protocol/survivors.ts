/** Mutants that nothing rejects, by name, and why. */
export const SURVIVORS: Readonly<Record<string, string>> = {
  'functions/erasure/steps.ts: after the next: if (last === undefined) { const names = await ownNames(erasure, stores); return move(erasure, ':
    'Both only read.',
  'functions/erasure/steps.ts: after the next: await stores.mappings.removeUserMappings(company_id, (await mappingsOf(erasure, stores)).map(i':
    'The step is stored when both are done, and each may be repeated.',
  'functions/erasure/steps.ts: after the next: await stores.erasures.finish(erasure, instant(clock.nowMs()));':
    'The step is repeated until the erasure is forgotten, which comes last.',
  'functions/erasure/steps.ts: after the next: await resendWaiting(company_id, services);':
    'If it dies in between, the watchdog sends what waited.',
  'functions/erasure/steps.ts: after the next: const users = await directory.users(company_id, names.emails, true);':
    'Both only read.',
  "functions/erasure/store.ts: after the next: await change(payloadKey(company_id, import_id, chunks[chunk]?.payload_hash ?? ''), PAYLOAD, pa":
    'The step is repeated until both are replaced, and each is decided again from what is stored.',
  'functions/erasure/store.ts: after the next: await change(keyOfPlan(item, chunk), PLAN, plan && withoutApart(plan));':
    'The step is repeated until both are replaced, and each is decided again from what is stored.',
  'functions/imports/cancel.ts: after the next: if (left.length > 0) await services.queue.send(chunkMessages(marked, left));':
    'Chunks that begin are sent; the import is complete only when they are done.',
  'functions/imports/cancel.ts: clock.nowMs() + FIRST_DUE_MS → clock.nowMs()':
    'The watchdog comes sooner, and finds that the chunk is not missing any more, or sends it once more.',
  'functions/imports/process.ts: after the next: await stores.progress.contribute(company_id, claimed);':
    'Contributions and notes are of different records; the summary comes after both.',
  'functions/imports/watch.ts: after the next: if (!(await stores.progress.freeUnused(company_id, writesOf([plan]), nowMs, ABANDONING_GRACE_M':
    'Behind the wait nobody writes a contribution of the chunk any more, so what is unwritten stays so.',
  'functions/jobs/steps.ts: after the next: if (!tools.hasTime()) { const isReleased = (await setUntil(current, undefined)) !== undefined;':
    'One more step begins late; what is cut short is repeated.',
  'functions/reverts/revertible.ts: SHORTEST_RETENTION_MS = 0':
    'Younger imports are read too, which cannot have expired.',
  'functions/reverts/steps.ts: after the next: if (!isHeld) { await move(revert, TURN_OVER); return undefined; }':
    'A revert of what is reverted ends without the gate, and passes it on if it is given the gate later.',
  'functions/reverts/steps.ts: clock.nowMs() + STEP_DUE_MS → clock.nowMs() (2)':
    'The watchdog comes sooner, and sends the revert once more.',
  'functions/reverts/work.ts: after the next: const report = await stores.reverts.readReport(item);': 'Both only read.',
  'functions/reverts/work.ts: after the next: await stores.reverts.remove(company_id, writes);':
    'Nobody claims an id while the gate is closed, and a revert that dies repeats both.',
  'functions/reverts/work.ts: after the next: await stores.progress.contribute( company_id, own.map((write) => ({ ...write, items: histories':
    'Both are repeated until the notes are forgotten, which comes last.',
  'functions/reverts/work.ts: after the next: for (const [chunk, some] of Map.groupBy(others, ({ write }) => chunkOf(each.item, write))) { c':
    'No test has a revert that dies between the two.',

  // Of `if`, which are tried on request: those of a sample of a seventh.
  'functions/imports/import-lists.ts: if (status !== undefined && hasListOfItsOwn(status)) → false':
    'The list of all imports has those of the status too, and costs more reads.',
  'functions/imports/lifecycle.ts: if (item.cancelled_at === null) → false':
    'Plans are read that say nothing of a cancel; the result is the same.',
  "functions/imports/process.ts: if (known.import.status !== 'processing') → false":
    'An import that has ended has every summary, so the next condition skips the chunk.',
  'functions/imports/process.ts: summary && plan → summary': 'A chunk that has a summary has a plan.',
  'functions/imports/progress-store.ts: page.last === undefined || histories.length >= limit → histories.length >= limit':
    'The page of a learner is no part of the protocol; `test/handlers/get-learner.test.ts` does not end with it.',
  'functions/imports/watch.ts: if (ref === undefined) → false': 'It throws another error.',
  "functions/reverts/steps.ts: if (revert.phase === 'done') → false":
    'No phase follows the last one; the delivery that meets one fails, and comes again.',
  'functions/reverts/steps.ts: if (at < revert.imports.length) → false (2)':
    'The watchdog sends the events of the imports that are left; the large run of `npm run test:long` sees that.',
  'functions/reverts/steps.ts: item === undefined || item.reverted_at !== null → item.reverted_at !== null':
    'An import that is reverted is stored; the step before has read it.',
};
