/**
 * A record sent again, over HTTP. `test/records` has a table for each rule, `test/reference` an independent
 * implementation of all rules, and `test/imports` compares dry runs with real ones. Costs seconds.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { record } from '../kit/records.ts';

const COMPANY = 'rules';
let admin: Admin;

beforeAll(async () => {
  admin = await adminOf(COMPANY);
});

describe('a record sent again', () => {
  it('a record sent again is unchanged with the same content, updated with other content, and never moves to another user', async () => {
    const learner = { user: { email: 'learner-15@rules.test' } };
    const first = record(COMPANY, learner);
    const more = { ...first, progress: { completion_pct: 80, started_at: '2021-01-01' } };
    const moved = { ...first, user: { email: 'learner-16@rules.test' } };
    const outcomes = [];
    for (const sent of [first, first, more, moved]) {
      const dry = await admin.dryRun([sent]);
      const { body } = await admin.importAndWait([sent]);
      expect(dry.body.records[0].outcome).toBe(body.records[0].outcome);
      outcomes.push(body.records[0].outcome ?? body.records[0].errors[0].error_code);
    }
    expect(outcomes).toEqual(['applied', 'unchanged', 'updated', 'duplicate_external_record_id']);
  });

  it('a record that was wrong is corrected with replace, and what it replaced is shown', async () => {
    const learner = { user: { email: 'learner-17@rules.test' } };
    const passed = (year: number) => ({ status: 'passed', taken_at: `${year}-01-01` });
    const wrong = record(COMPANY, { ...learner, assessment: passed(2031), progress: { completion_pct: 100 } });
    const right = { ...wrong, assessment: passed(2021), progress: { completion_pct: 80 } };
    const send = async (sent: unknown, replace: boolean) => {
      const dry = await admin.post('/progress/imports', { dry_run: true, replace, records: [sent] });
      const real = await admin.post('/progress/imports', { dry_run: false, replace, records: [sent] });
      const { body } = await admin.finished(real.body.import_id);
      const [{ outcome, warnings, progress }] = body.records;
      const codes = warnings.map(({ warning_code }: { warning_code: string }) => warning_code);
      return { import_id: body.import_id, outcome, codes, progress, before: dry.body.records[0].before };
    };
    const first = await send(wrong, false);
    expect(first).toMatchObject({ outcome: 'applied', codes: ['date_assumed', 'date_implausible'], before: null });
    const second = await send(right, false);
    expect(second).toMatchObject({
      outcome: 'updated',
      codes: ['earlier_record_kept'],
      progress: { completion_pct: 100 },
    });
    const third = await send({ ...right, progress: { completion_pct: 79 } }, true);
    const certified = { approved_course: 1, certified_at: '2021-01-01T00:00:00.000Z' };
    expect(third).toMatchObject({ outcome: 'updated', codes: [], progress: { completion_pct: 79, ...certified } });
    expect(third.before).toMatchObject({ completion_pct: 100, certified_at: '2031-01-01T00:00:00.000Z' });
    const audit = await admin.get(`/progress/records?external_record_id=${wrong['external_record_id']}`);
    const replaced = audit.body.contributions.map((each: { replaced_by?: string }) => each.replaced_by);
    expect(replaced).toEqual([third.import_id, third.import_id, undefined]);
    expect(audit.body.effective.completion_pct).toBe(79);
    expect((await send(right, false)).outcome).toBe('updated');
  });
});
