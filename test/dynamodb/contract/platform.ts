import { assert, asyncProperty, constantFrom, integer, oneof, string, uniqueArray } from 'fast-check';
import { CODE_POINT } from '../../kit/code-point.ts';
import { describe, expect, it } from 'vitest';
import { SHARDS, courseKey, courseMappingKey, userMappingKey } from '../../../functions/dynamodb/table.ts';
import { packCourse, unpackCourse } from '../../../functions/catalog/directory-store.ts';
import { itemBytes } from '../../../functions/dynamodb/items.ts';
import type { EveryStore } from '../../kit/services.ts';
import type { Company } from '../../../functions/shared/model.ts';
import { byUtf8, freshCompany, ODD_IDS, user } from '../samples.ts';
import { planted } from '../../kit/planted.ts';

const company = (company_id: string): Company => ({
  company_id,
  name: 'Acme',
  migrations_enabled: true,
  cursor_key: 'first',
});
const course = (platform_course_id: number, count = 2) => ({
  platform_course_id,
  title: `Course ${platform_course_id}`,
  has_exam: true,
  classes: Array.from({ length: count }, (_, i) => ({ platform_class_id: 1000 + i, title: `Class \ud83d ${i}` })),
});
const link = (external_user_id: string) => ({
  external_user_id,
  email: 'a@b.c',
  user_id: 7,
  updated_at: '2026-01-01T00:00:00.000Z',
});

/** `lists`: random lists of mappings that are read page by page. */
export function platformStoresContract(stores: () => EveryStore): void {
  describe('users', () => {
    it('users are found by their address in any ASCII letter case, under the address of the request', async () => {
      const company_id = freshCompany();
      const ada = user(company_id);
      await planted(stores().platform).putUsers([ada]);
      for (const strong of [true, false]) {
        const asked = `ADA@${company_id}.TEST`;
        expect(await stores().directory.users(company_id, [asked, 'nobody@x.test'], strong)).toEqual(
          new Map([[asked, ada]]),
        );
      }
    });

    it('hundreds of users are found, repeats and unusable addresses included', async () => {
      const company_id = freshCompany();
      const users = Array.from({ length: 250 }, (_, i) =>
        user(company_id, { user_id: i, email: `u${i}@${company_id}.test` }),
      );
      await planted(stores().platform).putUsers(users);
      const emails = users.map(({ email }) => email);
      const found = await stores().directory.users(
        company_id,
        [...emails, ...emails, '\ud800@x', '\ud801@x', 'x'.repeat(5000)],
        true,
      );
      expect(emails.map((email) => found.get(email)?.user_id)).toEqual(users.map(({ user_id }) => user_id));
    });
  });

  describe('courses', () => {
    it('courses are found by id, with their classes in order', async () => {
      const company_id = freshCompany();
      await planted(stores().platform).putCourses(company_id, [course(101), course(102, 0)]);
      expect(await stores().directory.courses(company_id, [101, 102, 103], true)).toEqual(
        new Map([
          [101, course(101)],
          [102, course(102, 0)],
        ]),
      );
    });

    it('a course of a hundred classes is read for one read unit', () => {
      const words = ['Introduction', 'Advanced', 'Safety', 'Leadership', 'Communication', 'Compliance', 'Onboarding'];
      const titleOf = (at: number) => `${at + 1}. ${words[at % 7]} ${words[(at * 3) % 5]}: ${(at * 7919) % 1000}`;
      const classes = Array.from({ length: 100 }, (_, at) => ({
        platform_class_id: 1_000_000_000 + at * 9973,
        title: titleOf(at),
      }));
      const item = packCourse(freshCompany(), { ...course(101), classes });
      expect(JSON.stringify(classes).length).toBeGreaterThan(7_000);
      expect(itemBytes(item)).toBeLessThanOrEqual(4_096);
      expect(unpackCourse(item)).toEqual({ ...course(101), classes });
    });

    it('a course of ten thousand classes is stored', async () => {
      const company_id = freshCompany();
      await planted(stores().platform).putCourses(company_id, [course(1, 10_000)]);
      expect((await stores().directory.courses(company_id, [1], false)).get(1)).toEqual(course(1, 10_000));
    });

    it('courses are listed by number, not by text, page by page', async () => {
      const company_id = freshCompany();
      const ids = [0, 9, 10, 99, 100, 2 ** 31, Number.MAX_SAFE_INTEGER];
      await planted(stores().platform).putCourses(
        company_id,
        ids.toReversed().map((id) => course(id)),
      );
      const list = async (limit: number, after?: number) =>
        (await stores().directory.listCourses(company_id, limit, after)).map(
          ({ platform_course_id }) => platform_course_id,
        );
      expect(await list(100)).toEqual(ids);
      expect(await list(3)).toEqual([0, 9, 10]);
      expect(await list(3, 10)).toEqual([99, 100, 2 ** 31]);
      expect(await list(3, Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    it('courses fill a page beyond the 1 MB that the database returns at once', async () => {
      const company_id = freshCompany();
      const ids = Array.from({ length: 60 }, (_, i) => i);
      await planted(stores().platform).putCourses(
        company_id,
        ids.map((id) => ({ ...course(id), title: 'x'.repeat(50_000) })),
      );
      expect(await stores().directory.listCourses(company_id, 55)).toHaveLength(55);
    });
  });

  describe('mappings', () => {
    it('mappings are read by ids of any characters', async () => {
      const company_id = freshCompany();
      await stores().mappings.putUserMappings(company_id, ODD_IDS.map(link));
      const asked = [...ODD_IDS, 'unknown', '', '\ud800'];
      const links = new Map(ODD_IDS.map((id) => [id, link(id)]));
      expect(await stores().mappings.userMappings(company_id, asked)).toEqual(links);
      expect(await stores().mappings.userMappingsOfRecords(company_id, asked)).toEqual(links);
    });

    it('a mapping is deleted once', async () => {
      const company_id = freshCompany();
      const { mappings } = stores();
      await mappings.putUserMappings(company_id, ODD_IDS.map(link));
      await mappings.putCourseMappings(company_id, [
        { external_course_id: 'c', platform_course_id: 1, updated_at: '' },
      ]);
      for (const isThere of [true, false]) {
        for (const id of ODD_IDS) expect(await mappings.removeUserMapping(company_id, id)).toBe(isThere);
        expect(await mappings.removeCourseMapping(company_id, 'c')).toBe(isThere);
      }
      expect(await mappings.listUserMappings(company_id, 100)).toEqual([]);
    });

    it('the last one of two equal mappings in one call wins', async () => {
      const company_id = freshCompany();
      await stores().mappings.putUserMappings(company_id, [link('9101'), { ...link('9101'), user_id: 8 }]);
      expect((await stores().mappings.userMappings(company_id, ['9101'])).get('9101')?.user_id).toBe(8);
    });

    it('mappings are listed page by page as if no shards existed, whatever the ids and wherever their hashes put them', async () => {
      const shardOf = (id: string) => userMappingKey('acme', id).pk.split('#').at(-1) ?? '';
      const id = oneof(constantFrom(...ODD_IDS), string({ unit: CODE_POINT, minLength: 1, maxLength: 12 }));
      const ids = uniqueArray(id, { maxLength: 60 });
      const few = integer({ min: 1, max: SHARDS });
      const law = async (all: readonly string[], shards: number, limit: number) => {
        // With few shards, a page is made of more than the share of each.
        const kept = all.filter((each) => Number.parseInt(shardOf(each), SHARDS) < shards);
        const company_id = freshCompany();
        await stores().mappings.putUserMappings(company_id, kept.map(link));
        const list = async (after?: string) =>
          (await stores().mappings.listUserMappings(company_id, limit, after)).map((each) => each.external_user_id);
        const pages: string[][] = [];
        for (let page = await list(); page.length > 0; page = await list(page.at(-1))) pages.push(page);
        expect(pages.flat()).toEqual(kept.toSorted(byUtf8));
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
      };
      await assert(asyncProperty(ids, few, integer({ min: 1, max: 20 }), law), { numRuns: 60 });
    });

    it('mappings and courses are spread over shards evenly enough that none takes a tenth of a migration', () => {
      const keys = [
        (at: number) => userMappingKey('acme', `employee-${at}`),
        (at: number) => courseMappingKey('acme', String(at)),
        (at: number) => courseKey('acme', at),
      ];
      for (const keyOf of keys) {
        const partitions = Map.groupBy(
          Array.from({ length: 20_000 }, (_, at) => keyOf(at).pk),
          (pk) => pk,
        );
        expect(partitions.size).toBe(SHARDS);
        expect(Math.max(...[...partitions.values()].map(({ length }) => length))).toBeLessThan(1_500);
      }
    });
  });

  describe('access', () => {
    it('a password hash is replaced only if it is still stored, with nothing else of the user', async () => {
      const company_id = freshCompany();
      const current = { ...user(company_id), password_hash: 'old' };
      const stored = async () => (await stores().directory.users(company_id, [current.email], true)).get(current.email);
      await planted(stores().platform).putUsers([current]);
      await stores().access.replacePasswordHash({ ...current, password_hash: 'older' }, 'new');
      expect(await stored()).toEqual(current);
      await stores().access.replacePasswordHash(current, 'new');
      expect(await stored()).toEqual({ ...current, password_hash: 'new' });
      await stores().access.replacePasswordHash({ ...current, email: 'nobody@nowhere.test' }, 'new');
      expect(await stores().access.findLogin('nobody@nowhere.test')).toBeUndefined();
    });
  });

  describe('facts', () => {
    it('a deleted company keeps its cursor key', async () => {
      const company_id = freshCompany();
      const { platform } = stores();
      await platform.saveCompany(company_id, { ...company(company_id), cursor_key: 'first' }, 1);
      await platform.saveCompany(company_id, undefined, 2);
      await platform.saveCompany(company_id, { ...company(company_id), cursor_key: 'second' }, 3);
      expect((await platform.companies([company_id])).get(company_id)?.cursor_key).toBe('first');
    });

    it('a fact of a user is refused whole where the address is another user’s, or the user was changed meanwhile', async () => {
      const company_id = freshCompany();
      const { platform, directory } = stores();
      const ada = user(company_id);
      await platform.saveUser(ada, undefined, { version: 1, user: ada });
      const thief = { ...ada, user_id: 8, email: ada.email.toUpperCase() };
      expect(await platform.saveUser(thief, undefined, { version: 1, user: thief })).toBe('address_taken');
      expect(await platform.knownUsers([thief])).toEqual([undefined]);
      expect(await platform.saveUser(ada, undefined, { version: 2 })).toBe('changed');
      expect(await directory.users(company_id, [ada.email], true)).toEqual(new Map([[ada.email, ada]]));
      expect(await platform.ownersOf([ada.email])).toEqual(
        new Map([[ada.email, { company_id, user_id: ada.user_id }]]),
      );
    });
  });

  it('the index of a data file of any size is stored whole, and the next file replaces it', async () => {
    const { loadedFile } = stores();
    const keys = Array.from({ length: 2_500 }, (_, i) => ['course', 'acme', i] as const);
    const version = (await loadedFile.read()).version + 2;
    await loadedFile.remember({ version, keys });
    expect(await loadedFile.read()).toEqual({ version, keys });
    await loadedFile.remember({ version: version + 1, keys: keys.slice(0, 1), file_hash: 'hash' });
    expect(await loadedFile.read()).toEqual({ version: version + 1, keys: keys.slice(0, 1), file_hash: 'hash' });
  });
}
