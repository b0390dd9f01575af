/** The events of the account's bus (§4.9, §4.11, docs/events.md), as the document has them: a rule of the bus may send them to an address. */
import * as v from 'valibot';
import { EVENT_SOURCE, EVENT_TYPES, RUN_EVENT_TYPES } from '../../functions/shared/codes.ts';
import type { EventType, RunEventType } from '../../functions/shared/codes.ts';
import { runResource } from '../../functions/shared/audit-resources.ts';
import { importSummary, openList } from '../../functions/shared/resources.ts';

const identified = {
  event_id: v.pipe(v.string(), v.description('The same if the event comes again.')),
  stage: v.pipe(v.string(), v.description('Of the deployment: `sandbox` or `production`.')),
};

const eventOf = <Entries extends v.ObjectEntries>(types: readonly string[], entries: Entries, what: string) =>
  v.pipe(
    v.object({
      source: v.literal(EVENT_SOURCE),
      'detail-type': openList(types, 'What happened.'),
      detail: v.pipe(v.object({ ...identified, ...entries }), v.description(what)),
    }),
    v.description(
      'As EventBridge delivers it; beside these members it has its own (`id`, `time`, `account`, `region` …).',
    ),
  );

export const importEvent = eventOf(EVENT_TYPES, importSummary.entries, 'The import after it, without records.');
export const runEvent = eventOf(RUN_EVENT_TYPES, runResource.entries, 'The run after it.');

const WHEN: Readonly<Record<EventType | RunEventType, string>> = {
  'Import Ended': 'A real import became terminal.',
  'Import Reverted': 'What a real import wrote has been taken back: `reverted_at` is set.',
  'Plan Waiting': 'A plan of the run was made. It waits for approval, or to be applied.',
  'Plan Approved': 'The plan of the run was approved. It waits to be applied.',
  'Run Ended': 'The application of the plan, and each of its imports, has ended.',
  'Run Reverted': 'What the run wrote has been taken back.',
};

/** What a receiver gets. At least once, also after any crash; never for a dry run. */
export function webhooks() {
  const ofImports = EVENT_TYPES.map((type) => [type, { post: webhook(type, 'ImportEvent') }] as const);
  const ofRuns = RUN_EVENT_TYPES.map((type) => [type, { post: webhook(type, 'RunEvent') }] as const);
  return Object.fromEntries([...ofImports, ...ofRuns]);
}

function webhook(type: EventType | RunEventType, schema: 'ImportEvent' | 'RunEvent') {
  const operationId = type.toLowerCase().replaceAll(' ', '-');
  return {
    operationId,
    tags: ['Events'],
    summary: type,
    description: `${WHEN[type]} At least once, also after any crash; never for a dry run. The event goes to the event bus of the account, where a rule sends it on.`,
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
    responses: { 200: { description: 'Any success: the event was taken.' } },
  };
}
