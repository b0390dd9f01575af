/** Responses over time: a key always gets the same response, and a poll never goes back. */
import type { Answer, History, Poll } from '../history.ts';
import type { FinishedImport } from './finished.ts';

interface Resource {
  readonly import_id: string;
  readonly status: string;
  readonly counts: Readonly<Record<'processed' | 'succeeded' | 'failed' | 'with_warnings', number>>;
}

export function checkAnswers(history: History, imports: readonly FinishedImport[]): void {
  checkReplays(history);
  for (const { item, results } of imports) {
    const polls = history.polls.filter(({ import_id }) => import_id === item.import_id);
    for (const own of Map.groupBy(polls, ({ client }) => client).values()) {
      checkPolls(own, results, (what) => history.violate(`import ${item.import_id}: ${what}`));
    }
  }
  const accepted = history.responses.filter(({ status }) => status !== 422);
  for (const { import_id } of accepted) {
    if (!history.commits.has(import_id)) history.violate(`import ${import_id} was accepted and is not there`);
  }
}

function checkReplays(history: History): void {
  const byKey = Map.groupBy(
    history.responses.filter(({ request }) => request.key !== undefined),
    ({ request }) => request.key,
  );
  for (const [key, responses] of byKey) {
    const accepted = responses.filter(({ status }) => status !== 422);
    const bodies = new Set(accepted.map((response) => `${response.status} ${JSON.stringify(response.body)}`));
    if (bodies.size > 1) history.violate(`key ${key} was answered in ${bodies.size} ways`);
    const payloads = new Set(accepted.map(payloadOf));
    if (payloads.size > 1) history.violate(`key ${key} was taken for ${payloads.size} payloads`);
    const refused = responses.filter((response) => response.status === 422 && payloads.has(payloadOf(response)));
    if (refused.length > 0) history.violate(`key ${key} was refused for the payload it is bound to`);
  }
}

const payloadOf = ({ request }: Answer): string => JSON.stringify([request.dry_run, request.records]);

function checkPolls(polls: readonly Poll[], final: readonly object[], violate: (what: string) => void): void {
  let last: Resource | undefined;
  for (const { body, records } of polls) {
    const seen = body as Resource;
    if (last !== undefined) checkOrder(last, seen, violate);
    last = seen;
    for (const shown of records as { index: number; status: string }[]) {
      if (shown.status === 'pending') continue;
      if (JSON.stringify(shown) !== JSON.stringify(final[shown.index]))
        violate(`the result of record ${shown.index} changed`);
    }
  }
}

function checkOrder(before: Resource, after: Resource, violate: (what: string) => void): void {
  if (before.status !== 'processing' && after.status !== before.status)
    violate(`polled ${before.status}, then ${after.status}`);
  for (const name of ['processed', 'succeeded', 'failed', 'with_warnings'] as const) {
    if (after.counts[name] < before.counts[name]) violate(`a poll went back in ${name}`);
  }
}
