/** The events of the account's bus (§4.9, docs/events.md), as the document has them: a rule of the bus may send them to an address. */
import * as v from 'valibot';
import { EVENT_SOURCE, EVENT_TYPES, type EventType } from '../../functions/shared/codes.ts';
import { importSummary, openList } from '../../functions/shared/resources.ts';

export const importEvent = v.pipe(
  v.object({
    source: v.literal(EVENT_SOURCE),
    'detail-type': openList(EVENT_TYPES, 'What happened.'),
    detail: v.pipe(
      v.object({
        event_id: v.pipe(v.string(), v.description('The same if the event comes again.')),
        stage: v.pipe(v.string(), v.description('Of the deployment: `sandbox` or `production`.')),
        ...importSummary.entries,
      }),
      v.description('The import after it, without records.'),
    ),
  }),
  v.description(
    'As EventBridge delivers it; beside these members it has its own (`id`, `time`, `account`, `region` …).',
  ),
);

const WHEN: Readonly<Record<EventType, string>> = {
  'Import Ended': 'A real import became terminal.',
  'Import Reverted': 'What a real import wrote has been taken back: `reverted_at` is set.',
};

/** What a receiver gets. At least once, also after any crash; never for a dry run. */
export function webhooks() {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type) }]));
}

function webhook(type: EventType) {
  const operationId = type.toLowerCase().replaceAll(' ', '-');
  return {
    operationId,
    tags: ['Events'],
    summary: type,
    description: `${WHEN[type]} At least once, also after any crash; never for a dry run. The event goes to the event bus of the account, where a rule sends it on.`,
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ImportEvent' } } },
    },
    responses: { 200: { description: 'Any success: the event was taken.' } },
  };
}
