/** Catalog and mappings over HTTP: lists page to the end. On the shared local stack; costs a second. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('mapping');
});

describe('the catalog', () => {
  it('the catalog lists courses by id, with their classes', async () => {
    const { body } = await admin.get('/catalog/courses');
    expect(body.next_cursor).toBeNull();
    expect(body.courses[0]).toEqual({
      platform_course_id: 101,
      title: 'Course 101',
      has_exam: true,
      classes: [0, 1, 2].map((i) => ({ platform_class_id: 101_000 + i, title: `Class ${i + 1}` })),
    });
  });

  it.each([1, 3])('pages of %d courses make the same list', async (limit) => {
    const found = (await admin.pages(`/catalog/courses?limit=${limit}`)).map(({ courses }) => courses);
    expect(found.flat()).toEqual((await admin.get('/catalog/courses')).body.courses);
    expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    expect(found.at(-1)?.length).toBeGreaterThan(0);
  });
});

describe('mappings', () => {
  it('mappings are listed in the order of their external ids, whatever characters these have', async () => {
    const ids = ['é', 'z', 'A', '😀', 'a\u0000b', 'a/b#c', '\uFFFD', ' '];
    const mappings = ids.map((external_course_id) => ({ external_course_id, platform_course_id: 101 }));
    await admin.post('/catalog/mappings', { mappings });
    const expected = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const limit of [1, 3, 8, 500]) {
      const pages = await admin.pages(`/catalog/mappings?limit=${limit}`);
      const listed: { external_course_id: string }[] = pages.flatMap(({ mappings: page }) => page);
      expect(listed.map(({ external_course_id }) => external_course_id)).toEqual(expected);
    }
  });
});

describe('limits', () => {
  it.each([
    ['/users/resolve', 'emails', 100],
    ['/users/mappings', 'mappings', 500],
    ['/catalog/mappings', 'mappings', 500],
    ['/progress/imports', 'records', 500],
  ])('%s takes %s up to %d; a longer batch is 413', async (path, member, limit) => {
    const send = (count: number) =>
      admin.post(path, { ...(member === 'records' && { dry_run: true }), [member]: Array(count).fill('x') });
    const [full, over, none] = await Promise.all([send(limit), send(limit + 1), send(0)]);
    expect([full.status, over.status, none.status]).toEqual([200, 413, 400]);
    expect([over.body.errors[0].error_code, over.body.errors[0].field]).toEqual(['batch_too_large', member]);
    expect(none.body.errors[0]).toMatchObject({ error_code: 'invalid_request', field: member });
  });
});
