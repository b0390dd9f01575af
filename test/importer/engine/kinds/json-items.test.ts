/** What is found of the items of JSON files. In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { mappingOf } from '../../../../bin/importer/engine/kinds/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/kinds/find.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';

describe('items of JSON', () => {
  const foundIn = async (value: unknown) => findKinds([await openSource(new File([JSON.stringify(value)], 'a.json'))]);
  const statement = (id: string, verb: string, of: object) => ({
    ...(id === '' ? {} : { id }),
    timestamp: '2024-01-22T00:00:00Z',
    actor: { mbox: 'mailto:ann@acme.test' },
    verb: { id: `http://adlnet.gov/expapi/verbs/${verb}` },
    object: of,
  });
  const course = { id: 'https://x.test/a', definition: { name: 'A' } };

  it('are not crossed with a list beside them', async () => {
    const { rows } = await foundIn({
      included: ['ann', 'ben'].map((id) => ({ id, attributes: { email: `${id}@acme.test` } })),
      data: ['A', 'B', 'C'].map((of) => ({ user: 'ann', course: of, state: 'COMPLETED', completedOn: '2024-01-22' })),
    });
    expect(rows).toBe(2);
  });

  it('that take others back by their ids leave both out', async () => {
    const findings = await foundIn([
      statement('s1', 'completed', course),
      statement('s2', 'voided', { objectType: 'StatementRef', id: 's1' }),
    ]);
    expect(findings.kinds.map(({ outcome }) => outcome)).toEqual(['completed', 'leave_out']);
    expect(mappingOf(findings).voided).toEqual({ column: 'verb.id', is: ['*/voided'], target: 'object.id', id: 'id' });
  });

  it('that take others back and do not say which leave nothing certain', async () => {
    const { kinds } = await foundIn([
      statement('', 'completed', course),
      statement('', 'voided', { objectType: 'StatementRef' }),
    ]);
    expect(kinds.map(({ outcome }) => outcome)).toEqual([null, 'leave_out']);
  });
});
