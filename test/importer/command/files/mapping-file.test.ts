/** Mapping files: which one is used, and how a wrong one is refused. Costs milliseconds. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inWords } from '../../../../bin/importer/command/advice.ts';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { findMapping, loadMapping } from '../../../../bin/importer/command/files/mapping-file.ts';
import { fileOf, freshFolder } from '../support/files.ts';

const BASE = { external_record_id: 'Id' };

const refusal = (mapping: unknown): string => {
  try {
    loadMapping(fileOf(typeof mapping === 'string' ? mapping : JSON.stringify(mapping), 'history.mapping.json'));
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    return inWords(error);
  }
  return 'accepted';
};

it.each([
  ['that is not JSON', '{', 'history.mapping.json'],
  ['without a record id', { record: {} }, 'record.external_record_id'],
  ['with a member records do not have', { record: { ...BASE, 'user.mail': 'Email' } }, 'record.user.mail'],
  [
    'with two sources for one member',
    { record: { ...BASE, 'user.email': { column: 'Email', constant: 'x' } } },
    'record.user.email',
  ],
  ['with a date format without a year', { dates: 'DD/MM', record: BASE }, 'dates'],
  ['with a time zone that does not exist', { time_zone: 'Mars/Base', record: BASE }, 'time_zone'],
  ['with an unknown member', { datum: 1, record: BASE }, 'datum'],
])('a mapping %s is refused', (_, mapping, named) => {
  expect(refusal(mapping)).toContain(named);
});

const alone = join(freshFolder(), 'history.csv');

it('other columns are refused rather than guessed', () => {
  expect(() => findMapping(alone, ['Id', 'Email', 'Course'])).toThrow('init-mapping');
});

it('--set settles what the mapping left open of the course, and nothing else', () => {
  const mapping = { record: { ...BASE, 'user.email': 'Email' }, undecided: ['course', 'dates'] };
  const path = fileOf(JSON.stringify({ ...mapping, kinds: { columns: {}, confirmed: [] } }), 'history.mapping.json');
  expect(loadMapping(path, ['content.platform_course_id=101']).undecided).toEqual(['dates']);
  expect(loadMapping(path, ['content.external_ref=x']).undecided).toEqual(['course', 'dates']);
});

it('--set settles nothing while the open column still names the learner', () => {
  const mapping = { record: { ...BASE, 'user.email': 'Mail A' }, undecided: ['learner'] };
  const path = fileOf(JSON.stringify({ ...mapping, kinds: { columns: {}, confirmed: [] } }), 'history.mapping.json');
  expect(loadMapping(path, ['user.external_user_id=7']).undecided).toEqual(['learner']);
  expect(loadMapping(path, ['user.email=ann@acme.test']).undecided).toBeUndefined();
});
