/** Files whose rows have to be turned into records: titles, totals, JSON of any shape. Costs milliseconds. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Code } from '../../../../bin/importer/engine/ground/codes.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { each } from '../../../../bin/importer/engine/read/pieces.ts';
import { collected, fileOf } from '../../command/support/files.ts';
import { setOf } from '../../command/support/runs.ts';

async function recordsOf(content: string, mapping: object, name = 'history.csv', set: string[] = []) {
  const file = fileOf(content, name);
  const path = `${file}.mapping.json`;
  writeFileSync(path, JSON.stringify(mapping));
  const reading = (await setOf(file, { mapping: path, set })).read();
  const records = (await collected(reading.chunks)).flatMap((chunk) => chunk.records);
  return { records, seen: reading.counts() };
}

const BASE = { external_record_id: 'Id', 'user.email': 'Email' };
const KINDS = { columns: {}, confirmed: [{ values: {}, outcome: 'in_progress' }] };
const record = (id: string, email: string) => ({
  external_record_id: id,
  user: { email },
  content: { type: 'course' },
  progress: { completion_pct: 0 },
});

/** Lines as a file of rejected rows has them. */
it('a row that is a member by its name makes the same record from a line of its own', async () => {
  const mapping = {
    items: 'users.{}',
    rows: 'courses.*',
    record: {
      external_record_id: { template: '{:key}/{courses.*.:key}' },
      'user.email': ':key',
      'progress.started_at': 'courses.*.on',
    },
    kinds: KINDS,
  };
  const courses = { C1: { on: '2024-01-02' }, C2: { on: '2024-01-03' } };
  const users = { 'ana@x.test': { name: 'Ana', courses }, 'ben@x.test': { courses: { C2: courses.C2 } } };
  const { records } = await recordsOf(JSON.stringify({ users }), mapping, 'a.json');
  expect(records).toMatchObject([
    { external_record_id: 'ana@x.test/C1', user: { email: 'ana@x.test' }, progress: { started_at: '2024-01-02' } },
    { external_record_id: 'ana@x.test/C2', user: { email: 'ana@x.test' }, progress: { started_at: '2024-01-03' } },
    { external_record_id: 'ben@x.test/C2', user: { email: 'ben@x.test' }, progress: { started_at: '2024-01-03' } },
  ]);
  const file = fileOf(JSON.stringify({ users }), 'a.json');
  writeFileSync(`${file}.mapping.json`, JSON.stringify(mapping));
  const [source] = (await setOf(file, { mapping: `${file}.mapping.json` })).sources;
  const rows = source === undefined ? [] : await collected(each(source.rows()));
  expect(rows[0]?.value).toMatchObject({ ':key': 'ana@x.test', name: 'Ana', courses: { C1: courses.C1 } });
  expect(rows[0]?.value).not.toHaveProperty('courses.C2');
  const lines = rows.map(({ value }) => JSON.stringify(value)).join('\n');
  expect((await recordsOf(lines, mapping, 'a.ndjson')).records).toEqual(records);
});

describe('tables', () => {
  it('a table may have title lines above its header, and totals below', async () => {
    const { records, seen } = await recordsOf(
      'Report of Ada, 2024\n"Filter: a, b"\n\nId,Email,Course\n1,ana@x.test,C\nTotal: 1\n',
      { skip: [{ column: '#1', is: ['Total*'] }], record: BASE, kinds: KINDS },
    );
    expect(records).toEqual([record('1', 'ana@x.test')]);
    expect(seen).toEqual({ rows: 1, skipped: 1, leftOut: {} });
  });

  it('learners of a kind that nobody has confirmed are rejected, and others are left out with the reason', async () => {
    const text = 'Id,Email,Done\n1,ana@x.test,40\n2,ben@x.test,\n3,zoe@x.test,100\n';
    const confirmed = [
      { values: { Done: 'between' }, outcome: 'in_progress', percent: 'Done' },
      { values: { Done: 'none' }, outcome: 'leave_out', reason: 'not started' },
    ];
    const { records, seen } = await recordsOf(text, {
      record: BASE,
      kinds: { columns: { Done: { read: 'percent' } }, confirmed },
    });
    expect(records).toEqual([{ ...record('1', 'ana@x.test'), progress: { completion_pct: 40 } }]);
    expect(seen).toEqual({ rows: 2, skipped: 0, leftOut: { 'not started': 1 } });
  });

  it('a row that takes a completion back, and is left out, leaves out what stands before it of the learner in the course', async () => {
    const text = [
      'Id,Email,Course,Action,When',
      '1,ana@x.test,A,Issued,2024-01-22',
      '2,Ana@x.test,A,Revoked,2024-02-22',
      '3,ana@x.test,A,Issued,2024-03-22',
      '4,ana@x.test,B,Issued,2024-01-22',
      '5,ben@x.test,A,Issued,2024-01-22',
    ];
    const confirmed = [
      { values: { Action: 'Issued', When: 'a date' }, outcome: 'completed', date: 'When' },
      { values: { Action: 'Revoked', When: 'a date' }, outcome: 'leave_out', reason: 'revoked' },
    ];
    const { records, seen } = await recordsOf(text.join('\n'), {
      record: { ...BASE, 'content.external_course_id': 'Course' },
      kinds: { columns: { Action: { read: 'text' }, When: { read: 'date' } }, confirmed },
    });
    expect(records).toMatchObject(['3', '4', '5'].map((id) => ({ external_record_id: id })));
    expect(seen.leftOut).toEqual({ revoked: 1, 'another row of the learner and the course takes it back': 1 });
  });

  it('a short row is refused, with a rule that would skip it', async () => {
    const file = fileOf('Id,Email,Course\n1,a@x.test,C\nGrand total\n');
    writeFileSync(file.replace('.csv', '.mapping.json'), JSON.stringify({ record: BASE, kinds: KINDS }));
    await expect(surveyOf(await setOf(file))).rejects.toMatchObject({
      said: { params: { line: 3, problem: { code: 'row_may_be_title', params: { text: 'Grand total' } } } },
    });
  });

  it('--set gives every record a value', async () => {
    const { records } = await recordsOf('Id,Email\n1,a@x.test\n', { record: BASE, kinds: KINDS }, 'a.csv', [
      'content.platform_course_id=2002',
    ]);
    expect(records).toMatchObject([{ content: { platform_course_id: 2002 } }]);
    await expect(
      recordsOf('Id,Email\n1,a@x.test\n', { record: BASE, kinds: KINDS }, 'a.csv', ['course=1']),
    ).rejects.toThrow('--set course=1');
  });
});

describe('JSON', () => {
  const mapping = {
    record: {
      external_record_id: 'id',
      'user.email': 'actor.mbox',
    },
    kinds: {
      columns: { 'result.score.scaled': { read: 'percent', scale: 100 } },
      confirmed: [
        { values: { 'result.score.scaled': 'between' }, outcome: 'in_progress', percent: 'result.score.scaled' },
      ],
    },
  };
  const statement = (id: string) => ({
    id,
    actor: { mbox: `mailto:${id}@x.test` },
    result: { score: { scaled: 0.5 } },
  });
  const expected = ['a', 'b'].map((id) => ({ ...record(id, `${id}@x.test`), progress: { completion_pct: 50 } }));

  it.each([
    [
      'an object around an array',
      JSON.stringify({ more: '}"', statements: [statement('a'), statement('b')] }, undefined, 2),
      {},
    ],
    [
      'an array at a path',
      JSON.stringify({ x: [1], data: { y: ['[', { z: [] }], items: [statement('a'), statement('b')] } }),
      { items: 'data.items' },
    ],
    ['arrays in items', JSON.stringify([{ user: 1, done: [statement('a'), statement('b')] }]), { rows: 'done' }],
  ])('%s is read by the paths of its members', async (_, content, more) => {
    const named =
      'rows' in more
        ? JSON.parse(JSON.stringify(mapping).replaceAll(/"(id|actor|result)(?=[".])/g, '"done.$1'))
        : mapping;
    const { records } = await recordsOf(content, { ...more, ...named }, 'statements.json');
    expect(records).toEqual(expected);
  });

  const problem = (code: Code, params: object) => ({ said: { params: { problem: { code, params } } } });

  it('JSON that ends too early, or lacks the array, is refused', async () => {
    await expect(recordsOf('{"statements":[{"id":"a"}]', mapping, 's.json')).rejects.toMatchObject(
      problem('json_incomplete', {}),
    );
    await expect(recordsOf('{\n"a":1}', { ...mapping, items: 'statements' }, 's.json')).rejects.toMatchObject(
      problem('json_without_array', { array: 'statements' }),
    );
  });
});
