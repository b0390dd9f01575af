import { randomUUID } from 'node:crypto';
import type { Functions, LocalFunction } from './functions.ts';
import { ACCOUNT, type PhysicalResources, REGION, type Template, declared } from './template.ts';

/** The one schedule of a stack that runs here: that of its watchdog. */
const EVERY_MINUTE = 'rate(1 minute)';
const MINUTE_MS = 60_000;

/** Also once at the start: queues in memory may have lost messages of open imports. Returns what stops them. */
export function startSchedules(template: Template, resources: PhysicalResources, functions: Functions): () => void {
  const rules = declared(template, 'AWS::Events::Rule', resources);
  const timers = rules.flatMap(([id, { ScheduleExpression, Targets = [] }]) =>
    (Targets as readonly { readonly Arn: string }[]).flatMap(({ Arn }) => {
      const target = functions.get(Arn);
      if (target === undefined) return [];
      if (ScheduleExpression !== EVERY_MINUTE)
        throw new Error(`The local stack does not support the schedule of ${id}: ${String(ScheduleExpression)}.`);
      invoke(target, { 'detail-type': 'local-start', detail: { open: 'all' } });
      return [setInterval(() => invoke(target, { 'detail-type': 'Scheduled Event', detail: {} }), MINUTE_MS)];
    }),
  );
  return () => timers.forEach((timer) => clearInterval(timer));
}

function invoke(target: LocalFunction, event: Readonly<Record<string, unknown>>): void {
  const id = randomUUID();
  const frame = { version: '0', id, source: 'aws.events', account: ACCOUNT, region: REGION, resources: [] };
  // The failure is logged, and the next invocation comes anyway.
  target.invoke({ ...frame, time: new Date().toISOString(), ...event }, id).catch(() => undefined);
}
