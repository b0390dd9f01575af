/** What a mapping may not say. Milliseconds. */
import { describe, expect, it } from 'vitest';
import type { FieldKind } from '../../../../bin/importer/engine/ground/fields.ts';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { checkedMapping, mappingJson, problemsOfSource } from '../../../../bin/importer/engine/language/check.ts';

/** The problems of a mapping, by the path of their member. */
function problemsOf(mapping: object): Record<string, string> {
  try {
    checkedMapping('a.mapping.json', mapping);
    return {};
  } catch (error) {
    if (!(error instanceof EngineError) || error.said.code !== 'mapping_invalid') throw error;
    return Object.fromEntries(error.said.params.problems.map(({ at, is }) => [at, is.code]));
  }
}

const KINDS = { columns: {}, confirmed: [] };
const record = { external_record_id: 'Id' };

it.each([
  [{ record }, { kinds: 'kinds_missing' }],
  [{ record, kinds: KINDS, skip: [{ column: '', is: ['x'] }] }, { 'skip.0.column': 'empty_text' }],
  [{ record, kinds: KINDS, skips: [] }, { skips: 'no_such_member' }],
  [{ record: { ...record, 'user.mail': 'M' }, kinds: KINDS }, { 'record.user.mail': 'no_member_of_a_record' }],
  [{ record, kinds: KINDS, dates: 'YYYY' }, { dates: 'format_of_no_day' }],
  [{ record, kinds: KINDS, header_line: '1' }, { header_line: 'value_unexpected' }],
  [
    { record: { ...record, 'progress.completion_pct': '%' }, kinds: KINDS },
    { 'record.progress.completion_pct': 'said_by_kinds' },
  ],
  [
    { record, kinds: { columns: {}, confirmed: [{ values: { State: 'x' }, outcome: 'completed' }] } },
    { 'kinds.confirmed.0': 'kind_without_date' },
  ],
])('%j is refused', (mapping, problems) => {
  expect(problemsOf(mapping)).toEqual(problems);
});

it('a mapping that is not JSON is refused', () => {
  expect(() => mappingJson('a.mapping.json', '{')).toThrow(/^mapping_not_json /);
});

describe('numbers', () => {
  const codesOf = (kind: FieldKind, constant: number | string): string[] =>
    problemsOfSource(kind, { constant }, false).map(({ code }) => code);

  it('a percentage is from 0 to 100', () => {
    expect([0, 100, 120, -1, 'many'].map((constant) => codesOf('percentage', constant))).toEqual([
      [],
      [],
      ['must_become_percentage'],
      ['must_become_percentage'],
      ['must_become_percentage'],
    ]);
  });

  it('any other number has no such bounds', () => {
    expect([120, -1, 'many'].map((constant) => codesOf('number', constant))).toEqual([[], [], ['must_become_number']]);
  });

  it('both may be scaled', () => {
    const scaled = (kind: FieldKind) => problemsOfSource(kind, { column: 'A', scale: 100 }, false);
    expect([scaled('number'), scaled('percentage')]).toEqual([[], []]);
    expect(scaled('text').map(({ code }) => code)).toEqual(['scale_of_no_number']);
  });
});
