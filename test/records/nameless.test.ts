/** Rejected records that name nobody whom the stack knows, and the plan stored without them. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  dividedPlan,
  isNameless,
  joinedPlan,
  namelessIn,
  namelessWithout,
  withoutApart,
} from '../../functions/records/nameless.ts';
import { erasedResult } from '../../functions/records/person.ts';
import { conflictResult, errorResult } from '../../functions/records/result.ts';
import type { Plan } from '../../functions/shared/model.ts';
import { plan, record } from './fixtures.ts';

const planned = (changes: object) => plan(record(changes));

describe('a rejected record', () => {
  it.each<[boolean, string, object]>([
    [true, 'with an unknown address', { user: { email: 'nobody@acme.test' } }],
    [true, 'with an unknown external id', { user: { external_user_id: 'nickname' } }],
    [true, 'of which one name is known and the other not', { user: { email: 'ana@acme.test', external_user_id: 'x' } }],
    [true, 'with an address that is none', { user: { email: 'Ann' } }],
    [true, 'with a text as its user', { user: 'Ann' }],
    [true, 'without a user', { user: undefined }],
    [false, 'of a known user in an unknown course', { content: { type: 'course', platform_course_id: 999 } }],
    [false, 'of a known user with a wrong percentage', { progress: { completion_pct: 'much' } }],
    [false, 'of a known user without an id', { external_record_id: '' }],
    [false, 'of a user without a license', { user: { email: 'gone@acme.test' } }],
    [false, 'of two known users', { user: { email: 'ana@acme.test', external_user_id: 'ext-ben' } }],
    [false, 'that was applied', {}],
  ])('%s, that nobody is known of: a record %s', (is, _, changes) => {
    expect(isNameless(planned(changes))).toBe(is);
  });

  it('nobody is known of a record whose user was not looked for', () => {
    const message = '';
    const codes = ['import_cancelled', 'duplicate_external_record_id'] as const;
    const results = codes.map((error_code) => ({
      result: errorResult({ index: 0, external_record_id: null }, [{ error_code, message }]),
    }));
    expect(results.map(isNameless)).toEqual([true, true]);
  });

  it('an erased result names nobody, and stays where it is', () => {
    const { result } = planned({ user: { email: 'nobody@acme.test' } });
    expect(isNameless({ result: erasedResult(result) })).toBe(false);
    expect(isNameless({ result: conflictResult(planned({}).result, { user_id: 8, platform_course_id: 101 }) })).toBe(
      true,
    );
  });
});

describe('a plan', () => {
  const nobody = { user: { email: 'planted@acme.test' } };
  const whole: Plan = {
    records: [nobody, { kept: 1 }, { user: 'planted' }],
    planned: [planned(nobody), planned({}), planned({ user: 'planted' })],
    epoch: 3,
  };
  const nameless = namelessIn(whole) ?? {};

  it('a plan that is divided names nobody, and is the same when it is joined', () => {
    const divided = dividedPlan(whole, nameless);
    expect(JSON.stringify(divided)).not.toContain('planted');
    expect(divided.planned[0]?.result.errors[0]).toMatchObject({ error_code: 'user_not_found', field: 'user.email' });
    expect(divided.apart).toEqual([0, 2]);
    const { apart, ...joined } = joinedPlan(divided, nameless);
    expect(joined).toEqual(whole);
    expect(apart).toEqual([0, 2]);
    expect(withoutApart(joinedPlan(divided, nameless))).toEqual(divided);
  });

  it('a plan keeps what another delivery did not store apart, and takes nothing from there that it did not leave there', () => {
    const { 0: first = { record: 0, planned: planned({}) } } = nameless;
    const divided = dividedPlan(whole, { 0: first, 1: first });
    expect([divided.apart, divided.records]).toEqual([[0], [null, { kept: 1 }, { user: 'planted' }]]);
    expect(joinedPlan(divided, { 0: first, 1: first }).records).toEqual(whole.records);
  });

  it('a plan whose details have expired shows codes and fields alone', () => {
    const [result] = joinedPlan(dividedPlan(whole, nameless)).planned;
    expect(result).toEqual({
      result: errorResult({ index: 0, external_record_id: 'r-1' }, [
        {
          error_code: 'user_not_found',
          message: 'What was sent, and this problem in full, were kept for 90 days.',
          field: 'user.email',
        },
      ]),
    });
  });

  it('a plan without rejected records is stored in one part', () => {
    const applied = { records: [1], planned: [planned({})] };
    expect(namelessIn(applied)).toBeUndefined();
    expect(dividedPlan(applied, {})).toBe(applied);
  });

  it('a record that is erased is in neither part', () => {
    const joined = joinedPlan(dividedPlan(whole, nameless), nameless);
    const [erased, ...others] = joined.planned;
    if (erased === undefined) throw new Error('The plan is empty.');
    const left = withoutApart({ ...joined, planned: [{ result: erasedResult(erased.result) }, ...others] });
    expect([left.apart, left.planned[0]?.result.erased]).toEqual([[2], true]);
    expect(Object.keys(namelessWithout(nameless, (_, __, offset) => offset === 0) ?? {})).toEqual(['2']);
    expect(namelessWithout(nameless, () => false)).toBeUndefined();
  });
});
