/** The intake, invoked and over its queue, on the table in memory. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { intake } from '../../functions/handlers/intake.ts';
import type { MessageOrigin, RejectedMessages } from '../../functions/platform/rejected-messages.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { delivery, sqsEvent } from '../kit/sqs-event.ts';
import { createWorld } from '../kit/world.ts';

const company = { kind: 'company', version: 1, company_id: 'acme', name: 'Acme', migrations_enabled: true };
const secret = 'someone.secret@acme.test';
const user = { kind: 'user', version: 1, id: 7, company_id: 'acme', email: secret, password: 'secret of ana' };
const whole = { ...user, name: 'Ana', role: 'admin', avatar: '', license: 'active' };

function stack() {
  const passedOn: MessageOrigin[] = [];
  const rejected: RejectedMessages = {
    async passOn(_, origin) {
      passedOn.push(origin);
      return 'sent again';
    },
  };
  const world = createWorld({ rejected });
  return { ...world, passedOn, run: (event: unknown) => intake(event, CONTEXT, world.services) };
}

describe('the intake', () => {
  it('the intake returns one result for each fact that it is invoked with', async () => {
    const { run } = stack();
    expect(await run({ facts: [company, user, company] })).toMatchObject({
      results: [{ status: 'applied' }, { status: 'rejected' }, { status: 'stale' }],
    });
  });

  it('the intake returns what is wrong with a message that holds no facts', async () => {
    const { run } = stack();
    expect(await run({})).toMatchObject({ errors: [{ field: 'facts' }] });
  });

  it('a message of a delivery that has rejected facts is passed on, and its other facts are applied', async () => {
    const { run, stores, passedOn } = stack();
    const messages = [{ facts: [user, company] }, { facts: [whole] }, { facts: [] }];
    expect(await run(delivery(messages))).toEqual({ batchItemFailures: [] });
    expect(passedOn.map(({ messageId }) => messageId).toSorted()).toEqual(['0', '2']);
    expect([...(await stores.platform.companies(['acme'])).keys()]).toEqual(['acme']);
    expect((await stores.directory.users('acme', [secret], true)).size).toBe(1);
  });

  it('facts that were applied before are not passed on; a message that is no JSON is', async () => {
    const { run, passedOn } = stack();
    expect(await run(delivery([{ facts: [company] }]))).toEqual({ batchItemFailures: [] });
    expect(await run(delivery([{ facts: [company] }], 2))).toEqual({ batchItemFailures: [] });
    expect(passedOn).toEqual([]);
    expect(await run(sqsEvent([{ messageId: 'm', body: '{' }]))).toEqual({ batchItemFailures: [] });
    expect(passedOn).toEqual([{ messageId: 'm', sent_by: 'sender', sentMs: 0, rejections: 0 }]);
  });

  it('a message that meets a fault, or that cannot be passed on, fails: the queue delivers it again', async () => {
    const { run, services } = stack();
    const failing = async () => {
      throw new TemporarilyUnavailable('The table is throttling or down.');
    };
    const failed = { batchItemFailures: [{ itemIdentifier: '0' }] };
    const unsent = { ...services, rejected: { passOn: failing } };
    expect(await intake(delivery([{ facts: [user] }]), CONTEXT, unsent)).toEqual(failed);
    const platform = { ...services.stores.platform, saveCompany: failing };
    const throttled = { ...services, stores: { ...services.stores, platform } };
    expect(await intake(delivery([{ facts: [company] }]), CONTEXT, throttled)).toEqual(failed);
    expect(await run({ facts: [company] })).toMatchObject({ results: [{ status: 'applied' }] });
  });

  it('what a message with a rejected fact forces or ends is done by its first delivery only', async () => {
    const { run, stores } = stack();
    const known = async () => (await stores.platform.knownUsers([{ company_id: 'acme', user_id: 7 }]))[0];
    await run({ facts: [{ ...whole, version: 9 }] });
    const ends = { kind: 'user', company_id: 'acme', id: 7, end_sessions: true };
    const message = { facts: [user, { ...whole, version: 2, force: true, name: 'Anna' }, ends] };
    await run(delivery([message]));
    const once = await known();
    expect(once).toMatchObject({ version: 2, user: { name: 'Anna' }, sessions_ended_at: expect.any(String) });
    await run(delivery([message], 2));
    expect(await known()).toEqual(once);
    await run({ facts: [{ ...whole, version: 3 }] });
    await run(delivery([message], 3));
    expect(await known()).toMatchObject({ version: 3, user: { name: 'Ana' } });
  });

  it('each applied fact leaves a log line with entity, version, what changed and who sent it, and no value', async () => {
    const { run, telemetry } = stack();
    const course = {
      kind: 'course',
      version: 4,
      company_id: 'acme',
      platform_course_id: 101,
      title: 'secret',
      has_exam: false,
    };
    const native = { kind: 'progress', version: 5, company_id: 'acme', platform_course_id: 101, completion_pct: 40 };
    await run({ facts: [whole, company] });
    await run(
      delivery([{ facts: [course, { ...native, email: secret }, { ...whole, version: 2, role: 'customer' }] }]),
    );
    await run({ facts: [whole, { kind: 'user', company_id: 'acme', id: 7, end_sessions: true }] });
    await run({
      facts: [
        { ...user, version: 1, erase: true, force: true },
        { ...company, version: 2, deleted: true },
      ],
    });
    const traces = telemetry.lines.filter(({ message }) => message === 'A fact was applied.');
    const invoked = { request_id: CONTEXT.awsRequestId, sent_by: 'invocation', company_id: 'acme' };
    const queued = { ...invoked, sent_by: 'sender', message_id: '0' };
    const changed = (...names: string[]) => ({
      license_changed: names.includes('license'),
      role_changed: names.includes('role'),
      password_changed: names.includes('password'),
      address_changed: names.includes('address'),
    });
    const everything = changed('license', 'role', 'password', 'address');
    expect(traces.map(({ fields }) => fields)).toEqual([
      { ...invoked, kind: 'user', user_id: 7, fact_version: 1, ...everything },
      { ...invoked, kind: 'company', fact_version: 1 },
      { ...queued, kind: 'course', platform_course_id: 101, fact_version: 4 },
      { ...queued, kind: 'user', user_id: 7, fact_version: 2, ...changed('role') },
      { ...queued, kind: 'progress', user_id: 7, platform_course_id: 101, fact_version: 5 },
      { ...invoked, kind: 'user', user_id: 7, sessions_ended: true },
      { ...invoked, kind: 'user', user_id: 7, fact_version: 1, forced: true, erased: true, ...everything },
      { ...invoked, kind: 'company', fact_version: 2, deleted: true },
    ]);
    expect(JSON.stringify(telemetry)).not.toContain('secret');
  });

  it('a fact of a user or company that comes again leaves a line, in case the first delivery ended before it wrote its own', async () => {
    const { run, telemetry } = stack();
    const course = {
      kind: 'course',
      version: 1,
      company_id: 'acme',
      platform_course_id: 1,
      title: 'T',
      has_exam: true,
    };
    for (const _ of [1, 2]) await run({ facts: [whole, company, course] });
    const again = telemetry.lines.filter(({ message }) => message === 'A fact was stored before.');
    expect(new Set(again.map(({ fields }) => fields['kind']))).toEqual(new Set(['company', 'user']));
    expect(again).toHaveLength(2);
  });

  it('the log shows how many facts there were and which members were wrong, and no value', async () => {
    const { run, telemetry } = stack();
    await run({ facts: [company, user, { ...whole, password: '\ud800' }, whole] });
    const logged = JSON.stringify(telemetry);
    expect(logged).toContain('facts.1.name is missing.');
    expect(logged).not.toContain('secret');
  });
});
