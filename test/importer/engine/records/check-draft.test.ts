/** Drafts that are corrected by the records that they make. In memory; costs milliseconds. */
import { expect, it } from 'vitest';
import { UsageError } from '../../../../bin/importer/engine/errors.ts';
import { checkDraft, corrected } from '../../../../bin/importer/engine/records/check-draft.ts';
import { draftMapping } from '../../../../bin/importer/engine/records/draft-mapping.ts';
import { openRecords } from '../../../../bin/importer/engine/records/open-records.ts';
import { settledDraft } from '../../../../bin/importer/engine/records/settle-draft.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';
import type { Mapping } from '../../../../bin/importer/engine/mapping/schema.ts';
import { CASES } from '../chromium/cases.ts';

const MAPPING: Mapping = {
  record: {
    external_record_id: { template: '{Mail}/{Course}' },
    'user.email': 'Mail',
    'content.external_course_id': 'Course',
    'progress.completed_at': { column: 'Done', dates: 'YYYY-MM-DD HH:mm' },
  },
};

const opened = (text: string) => () =>
  openRecords(new File([text], 'history.csv'), {
    mapping: { mapping: MAPPING, path: undefined },
    mappingFor: () => {
      throw new UsageError('no mapping');
    },
  });

it('checkDraft: no repeated ids → no correction', async () => {
  expect(await checkDraft(opened('Mail,Course,Done\na@x.test,A,\n'))).toEqual({
    mapping: undefined,
    localTimes: 0,
    doubts: [],
  });
});

it('checkDraft: repeated ids and local times → rows are joined, and both are doubts', async () => {
  const checked = await checkDraft(
    opened('Mail,Course,Done\na@x.test,A,2024-01-02 10:00\na@x.test,A,2024-01-03 10:00\n'),
  );
  expect(checked).toMatchObject({ mapping: { group_by: ['Mail', 'Course'] }, localTimes: 2 });
  expect(checked.doubts).toHaveLength(2);
  const both = corrected({ mapping: MAPPING, doubts: ['first'] }, checked);
  expect([both.mapping.group_by, both.doubts.length]).toEqual([['Mail', 'Course'], 3]);
});

it('checkDraft: a column that the file lacks → a doubt in place of an error', async () => {
  const { mapping, doubts } = await checkDraft(opened('Mail,Course\na@x.test,A\n'));
  expect(mapping).toBeUndefined();
  expect(doubts.join()).toContain('"Done"');
});

it('checkDraft: what settledDraft has found → the same as reading each file of the test data again', async () => {
  const [known, read]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const { name, bytes } of CASES) {
    const file = new File([bytes], name);
    const open = (mapping: Mapping) =>
      openRecords(file, {
        mapping: { mapping, path: undefined },
        mappingFor: () => {
          throw new UsageError('no mapping');
        },
      });
    const draft = await openSource(file)
      .then((source) => draftMapping(source))
      .catch(() => undefined);
    if (draft === undefined) continue;
    const { mapping, facts } = await settledDraft(open, draft);
    if (facts === undefined) continue;
    known[name] = await checkDraft(() => open(mapping), facts);
    read[name] = await checkDraft(() => open(mapping));
  }
  expect(known).toEqual(read);
  expect(Object.keys(known).length).toBeGreaterThan(30);
});
