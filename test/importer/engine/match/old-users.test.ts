/** The people of tables. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { oldUsers, platformUsers, type UserColumns } from '../../../../bin/importer/engine/match/old-users.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const sourceOf = (content: string, name = 'people.csv') => openSource(new File([content], name));
const peopleIn = async (content: string, columns: UserColumns = {}, name?: string) =>
  oldUsers(await sourceOf(content, name), columns);

describe('oldUsers', () => {
  it('each person is found once, by the id, else by the address in any letter case', async () => {
    expect(await peopleIn('Employee ID,Email,Name\nE1,a@x.test,Ana\nE2,b@x.test,Ben\nE2,b@x.test,Ben\n')).toEqual([
      { id: 'E2', email: 'b@x.test', name: 'Ben', rows: 2 },
      { id: 'E1', email: 'a@x.test', name: 'Ana', rows: 1 },
    ]);
    expect(await peopleIn('Email,Course\nA@x.test,1\na@x.test,2\n')).toEqual([
      { id: 'A@x.test', email: 'A@x.test', name: undefined, rows: 2 },
    ]);
  });

  it.each([
    ['First name,Last name', 'Ana,López', 'Ana López'],
    ['Vorname;Nachname', 'Ana;López', 'Ana López'],
    ['Nombre,Apellidos', 'Ana,López Gil', 'Ana López Gil'],
    ['Full name,Position', '"López, Ana",Cook', 'López, Ana'],
    ['Course name,Position', 'Fire,Cook', undefined],
  ])('the columns %s give the name %s', async (header, cells, name) => {
    const delimiter = header.includes(';') ? ';' : ',';
    const [person] = await peopleIn(`Email${delimiter}${header}\na@x.test${delimiter}${cells}\n`);
    expect(person?.name).toBe(name);
  });

  it('people are found in the columns or members that are named', async () => {
    const columns = { idColumn: 'who.id', nameColumn: 'who.name' };
    expect(await peopleIn('{"who":{"id":7,"name":"Ana"}}\n', columns, 'people.ndjson')).toEqual([
      { id: '7', email: undefined, name: 'Ana', rows: 1 },
    ]);
    await expect(peopleIn('a,b\n1,2\n')).rejects.toThrow('no_column_of_people');
    await expect(peopleIn('a,b\n1,2\n', { idColumn: 'c' })).rejects.toThrow('no_such_column');
    await expect(peopleIn('{}\n', {}, 'people.ndjson')).rejects.toThrow('members_refused');
  });
});

it('platformUsers: the users of a table, each address once', async () => {
  const csv = 'E-mail,First name,Last name\nana@x.test,Ana,López\nANA@x.test,Ana,López\n,No,Address\n';
  expect(await platformUsers(await sourceOf(csv))).toEqual([{ email: 'ANA@x.test', name: 'Ana López' }]);
});
