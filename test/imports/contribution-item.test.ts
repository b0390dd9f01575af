/** The stored form of a contribution: exact, small, readable. Milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_POINT } from '../kit/code-point.ts';
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { learnerCourseKey } from '../../functions/dynamodb/table.ts';
import { contributionName, packContribution, unpackContribution } from '../../functions/imports/contribution-item.ts';
import type { Contribution, DatedField } from '../../functions/shared/model.ts';
import { Dice } from '../kit/dice.ts';
import { AT, HASH, contribution, incompressible } from '../dynamodb/samples.ts';
import { native } from '../records/arbitraries.ts';

const DATED: DatedField[] = ['certified_at', 'started_at', 'last_activity_at', 'completed_at'];
const bytesOf = (record: Contribution) =>
  itemBytes({
    ...learnerCourseKey('acme', { user_id: 1234, platform_course_id: 101 }),
    [contributionName(record)]: packContribution(record),
  });
const jsonOf = (record: Contribution) => JSON.parse(String(packContribution(record))) as object;
const roundTrip = (record: Contribution) => unpackContribution(contributionName(record), packContribution(record));
const classes = (count: number, viewed_at: (i: number) => string | null) =>
  Array.from({ length: count }, (_, i) => ({ platform_class_id: 1001 + i, viewed_at: viewed_at(i) }));

const instant = fc.oneof(
  fc.constant(AT),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => new Date(Math.trunc(date.getTime() / 1000) * 1000).toISOString()),
);
const dated = fc.option(instant);
const pct = fc.double({ min: 0, max: 100, noNaN: true }).map((value) => value + 0);
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 1 }),
    fc.constantFrom('\ud800', '\udc00', '\u0000', '"', '\\'),
  ),
});
const id = fc.nat(Number.MAX_SAFE_INTEGER);

const wide = fc.record({
  source: fc.constant('external_migration' as const),
  external_record_id: text,
  import_id: fc.stringMatching(/^[a-z0-9]{26}$/),
  index: fc.nat(499),
  imported_at: instant,
  external_ref: fc.option(
    fc.oneof(
      text,
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    ),
  ),
  score_pct: fc.option(pct),
  assessment_status: fc.option(fc.constantFrom('passed' as const, 'failed' as const, 'not_taken' as const)),
  defaulted: fc.shuffledSubarray(DATED),
  defaulted_classes: fc.uniqueArray(id, { maxLength: 3 }),
  content_hash: fc.oneof(fc.stringMatching(/^[0-9a-f]{1,64}$/), fc.stringMatching(/^[A-Za-z0-9_-]{22}$/), text),
  completion_pct: pct,
  classes: fc.uniqueArray(fc.record({ platform_class_id: id, viewed_at: dated }), { maxLength: 5 }),
  approved_course: fc.constantFrom(0 as const, 1 as const),
  certified_at: dated,
  started_at: dated,
  last_activity_at: dated,
  completed_at: dated,
});
/** Each member of the progress of a learner, over all its values where `wide` has it. */
const anyContribution: fc.Arbitrary<Contribution> = fc
  .tuple(native, wide)
  .map(([progress, contribution]) => ({ ...progress, ...contribution }));

describe('contribution items', () => {
  it('a contribution comes back exactly as it was, whatever it holds', () => {
    fc.assert(
      fc.property(anyContribution, (record) => {
        expect(roundTrip(record)).toEqual(record);
      }),
    );
  });

  const MEMBERS = { source: 'external_migration', r: 'legacy-000123', t: '20260102T030405.678Z', p: 66.67 };
  const MINIMAL = { score_pct: null, assessment_status: null, approved_course: 0 } as const;
  const UNDATED = { certified_at: null, started_at: null, last_activity_at: null, completed_at: null };
  const [FIRST, SENT] = [1001, '2024-01-02T03:04:05.000Z'];
  const viewed = (viewed_at: string | null) => [{ platform_class_id: FIRST, viewed_at }];

  it.each<[string, Partial<Contribution>, object]>([
    ['a date that defaulted, by its letter', { started_at: AT, defaulted: ['started_at'] }, { d: 's' }],
    ['no approval that the certificate implies', { certified_at: SENT, approved_course: 1 }, { c: '20240102T030405Z' }],
    ['an approval without a certificate', { approved_course: 1 }, { a: 1 }],
    ['a score without an exam', { score_pct: 5 }, { x: ' 5' }],
    ['a reference that is no text', { external_ref: false }, { f: false }],
    ['a view that was sent', { classes: viewed(SENT) }, { k: '1001@20240102T030405Z' }],
    ['a view that defaulted', { classes: viewed(AT), defaulted_classes: [FIRST] }, { k: '1001*' }],
    ['a view sent with the date of the import', { classes: viewed(AT) }, { k: '1001@20260102T030405.678Z' }],
    [
      'a default that its class does not show',
      { classes: viewed(SENT), defaulted_classes: [FIRST] },
      { k: '1001@20240102T030405Z', n: [FIRST] },
    ],
    ['a hash that is not hexadecimal, as it is', { content_hash: 'odd' }, { h: '=odd' }],
  ])('a contribution is stored with %s', (_, overrides, members) => {
    const record = contribution({ ...MINIMAL, ...UNDATED, ...overrides });
    const h = Buffer.from(HASH, 'hex').toString('base64url');
    expect(jsonOf(record)).toEqual({ ...MEMBERS, h, ...members });
    expect(roundTrip(record)).toEqual(record);
  });

  it('a contribution that names a date no contribution has cannot be read', () => {
    const packed = JSON.stringify({ ...jsonOf(contribution()), d: 'z' });
    const read = () => unpackContribution('m#i#0', packed);
    expect(read).toThrow('No date of a contribution is named z.');
  });

  it('a contribution is named by its import and index alone', () => {
    expect(contributionName(contribution({ external_record_id: 'secret' }))).toBe('m#abcdefghijklmnopqrstuvwxyz#123');
  });
});

describe('size', () => {
  it('an item with one contribution that says everything but classes has at most 350 bytes', () => {
    expect(bytesOf(contribution())).toBeLessThanOrEqual(350);
  });

  it('an item has at most 280 bytes if every date defaults', () => {
    const defaults = { certified_at: AT, started_at: AT, last_activity_at: AT, completed_at: AT };
    expect(bytesOf(contribution({ ...defaults, defaulted: DATED }))).toBeLessThanOrEqual(280);
  });

  it.each([
    [20, 'text', 1],
    [30, 'compressed', 1],
    [100, 'compressed', 1],
    [300, 'compressed', 3],
  ])('a contribution with %i class views is stored %s, for %i write units', (count, form, units) => {
    const dice = new Dice(count);
    const record = contribution({
      classes: classes(count, () => new Date(1.7e12 + 1000 * dice.below(1e7)).toISOString()),
    });
    expect(typeof packContribution(record) === 'string' ? 'text' : 'compressed').toBe(form);
    expect(Math.ceil(bytesOf(record) / 1024)).toBe(units);
    expect(roundTrip(record)).toEqual(record);
  });

  it('a contribution stays text where compressing it saves no unit', () => {
    const record = contribution({ external_ref: incompressible(800) });
    expect(Math.ceil(bytesOf(record) / 1024)).toBe(2);
    expect(jsonOf(record)).toMatchObject({ f: record.external_ref });
  });
});
