/** The users of the service in memory, found for people of an old system, and registered. Costs a second. */
import { beforeAll, describe, expect, it } from 'vitest';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { HEADERS, userLine } from '../../../../bin/importer/command/commands/people.ts';
import { findUsers, resolvedUsers } from '../../../../bin/importer/engine/match/find-users.ts';
import { tableText } from '../../../../bin/importer/engine/match/match-table.ts';
import { listedRows } from '../../../../bin/importer/engine/match/listed-rows.ts';
import { collected, fileOf } from '../../command/support/files.ts';
import { createPlatform, type Platform } from '../../command/support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await createPlatform();
});

const person = (id: string, email: string | undefined, name?: string) => ({ id, email, name, rows: 1 });
const OLD = [
  person('E1', 'Hana.Suzuki+lms@acme.test', 'Hana Suzuki'),
  person('E2', 'grace.mensah@old.test', 'Grace Mensah'),
  person('E3', 'ben.castillo@acme.test', 'Ben Castillo'),
  person('E4', 'nobody@old.test', 'No Body'),
  person('E5', undefined, 'Chiara Romano'),
];
const named = (found: Awaited<ReturnType<typeof findUsers>>) =>
  found.map(({ id, kind, user, candidates }) => [id, kind, user?.email ?? candidates.map(({ email }) => email).join()]);

describe('findUsers', () => {
  it('without a table of users, likely addresses are asked for; what is only likely is not certain', async () => {
    expect(named(await findUsers(platform.client, OLD, { moved: new Map() }))).toEqual([
      ['E1', 'same mailbox', 'hana.suzuki@acme.test'],
      ['E2', 'ambiguous', 'grace.mensah@acme.test'],
      ['E3', 'same address', 'ben.castillo@acme.test'],
      ['E4', 'none', ''],
      ['E5', 'none', ''],
    ]);
  });

  it('a domain that another has replaced makes it certain', async () => {
    const found = await findUsers(platform.client, OLD, { moved: new Map([['old.test', 'acme.test']]) });
    expect(named(found)[1]).toEqual(['E2', 'moved', 'grace.mensah@acme.test']);
  });

  it('some requests are under way at a time, in their order, and an address is asked for once', async () => {
    const { client } = platform;
    let [asked, now, most] = [0, 0, 0];
    const counting = {
      userMappings: () => client.userMappings(),
      resolveUsers: async (emails: string[]) => {
        [asked, now] = [asked + emails.length, now + 1];
        most = Math.max(most, now);
        await Promise.resolve();
        const found = await client.resolveUsers(emails);
        now -= 1;
        return found;
      },
    };
    const emails = [...Array.from({ length: 900 }, (_, index) => `p${index}@old.test`), 'ben.castillo@acme.test'];
    const found = await collected(resolvedUsers(counting, emails, (email) => email));
    expect([found.map(([email]) => email), most]).toEqual([emails, 4]);
    const known = new Map(found.map(([email, { status }]) => [email, status === 'active']));
    const people = emails.map((email) => person(email, email));
    const matched = await findUsers(counting, people, { moved: new Map(), asked: known });
    // Those who are not known are asked for at the domain of the one who is.
    expect([matched.at(-1)?.kind, asked]).toEqual(['same address', emails.length + 900]);
  });

  it('with a table of users names count, and a user of it without a license is not certain', async () => {
    const users = [
      { email: 'grace.mensah@acme.test', name: 'Grace Mensah' },
      { email: 'chiara.romano@acme.test', name: 'Chiara Romano' },
      { email: 'nobody@acme.test', name: 'No Body' },
    ];
    expect(named(await findUsers(platform.client, OLD, { users, moved: new Map() })).slice(1)).toEqual([
      ['E2', 'moved', 'grace.mensah@acme.test'],
      ['E3', 'none', ''],
      ['E4', 'ambiguous', 'nobody@acme.test'],
      ['E5', 'ambiguous', 'chiara.romano@acme.test'],
    ]);
  });

  it('the table is read by --register, which registers nobody who is only possible', async () => {
    const found = await findUsers(platform.client, OLD, { moved: new Map() });
    const file = fileOf(tableText(HEADERS, found.map(userLine)), 'history.users.csv');
    const wanted = [
      { field: 'user.external_user_id' as const, column: undefined, option: '' },
      { field: 'user.email' as const, column: undefined, option: '' },
    ];
    const rows = await collected(listedRows(await openSourceFile(file), wanted));
    expect(rows.map(({ texts }) => texts)).toEqual([
      ['E2', undefined],
      ['E4', undefined],
      ['E5', undefined],
      ['E1', 'hana.suzuki@acme.test'],
      ['E3', 'ben.castillo@acme.test'],
    ]);
    await platform.client.registerUserMappings([{ external_user_id: 'E5', email: 'chiara.romano@acme.test' }]);
    expect(named(await findUsers(platform.client, OLD, { moved: new Map() }))[4]).toEqual([
      'E5',
      'registered',
      'chiara.romano@acme.test',
    ]);
  });
});
