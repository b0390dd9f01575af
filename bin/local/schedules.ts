import { randomUUID } from 'node:crypto';
import type { Functions, LocalFunction } from './functions.ts';
import { ACCOUNT, type PhysicalResources, REGION, type Template, declared } from './template.ts';

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

interface Scheduled {
  readonly everyMs: number;
  readonly target: LocalFunction;
}

export function schedules(template: Template, resources: PhysicalResources, functions: Functions): Scheduled[] {
  return declared(template, 'AWS::Events::Rule', resources).flatMap(([, { ScheduleExpression, Targets = [] }]) =>
    (Targets as readonly { readonly Arn: string }[]).flatMap(({ Arn }) => {
      const target = functions.get(Arn);
      return target === undefined ? [] : [{ everyMs: rateMs(String(ScheduleExpression)), target }];
    }),
  );
}

/** Also once at the start: queues in memory may have lost messages of open imports. Returns what stops them. */
export function startSchedules(scheduled: readonly Scheduled[]): () => void {
  const timers = scheduled.map(({ everyMs, target }) => {
    invoke(target, { 'detail-type': 'local-start', detail: { open: 'all' } });
    return setInterval(() => invoke(target, { 'detail-type': 'Scheduled Event', detail: {} }), everyMs);
  });
  return () => timers.forEach((timer) => clearInterval(timer));
}

function invoke(target: LocalFunction, event: Readonly<Record<string, unknown>>): void {
  const id = randomUUID();
  const frame = { version: '0', id, source: 'aws.events', account: ACCOUNT, region: REGION, resources: [] };
  // The failure is logged, and the next invocation comes anyway.
  target.invoke({ ...frame, time: new Date().toISOString(), ...event }, id).catch(() => undefined);
}

/** @throws Error for anything but `rate(N minutes|hours|days)` */
export function rateMs(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count === undefined || unit === undefined)
    throw new Error(`The local stack does not support the schedule ${expression}.`);
  return Number(count) * (UNIT_MS[unit] as number);
}
