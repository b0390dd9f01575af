/** The courses and mappings that a processor remembers, and for how long. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { courseMemory } from '../../functions/catalog/course-memory.ts';
import type { Course } from '../../functions/shared/model.ts';

const SECOND = 1_000;
const ACCEPTED = { company_id: 'acme', acceptedAtMs: 0 };

/** A memory over a catalog whose reads are counted. */
function rememberedCatalog(classesOf: (id: number) => number = () => 1) {
  const clock = { now: 10 * SECOND, nowMs: () => clock.now };
  const memory = courseMemory(clock);
  const read: number[][] = [];
  const missing = new Set<number>();
  let title = 'First';
  const course = (id: number): Course => ({
    platform_course_id: id,
    title,
    has_exam: true,
    classes: Array.from({ length: classesOf(id) }, (_, at) => ({ platform_class_id: at, title: '' })),
  });
  const reading = async (ids: readonly number[]) => {
    if (ids.length > 0) read.push([...ids]);
    return new Map(ids.filter((id) => !missing.has(id)).map((id) => [id, course(id)]));
  };
  return {
    clock,
    read,
    missing,
    rename: (name: string) => (title = name),
    courses: (ids: readonly number[], asking = ACCEPTED) => memory.courses(asking, ids, reading),
    title: async (asking = ACCEPTED) => (await memory.courses(asking, [101], reading)).get(101)?.title,
  };
}

describe('a course', () => {
  it('a course is read once for many chunks, and only courses missing from memory are read', async () => {
    const { courses, read } = rememberedCatalog();
    await courses([101, 102]);
    expect((await courses([101, 102, 103])).size).toBe(3);
    expect(read).toEqual([[101, 102], [103]]);
  });

  it('a changed course is used 60 seconds later at the latest', async () => {
    const { clock, rename, title } = rememberedCatalog();
    await title();
    rename('Second');
    clock.now += 60 * SECOND;
    expect(await title()).toBe('First');
    clock.now += 1;
    expect(await title()).toBe('Second');
  });

  it('a course changed before an import was sent is never used by that import as it was before', async () => {
    const { clock, rename, title } = rememberedCatalog();
    await title();
    rename('Second');
    // The clocks of two functions may differ by a second.
    for (const skewMs of [0, -900]) {
      expect(await title({ ...ACCEPTED, acceptedAtMs: clock.now + skewMs })).toBe('Second');
    }
  });

  it('a course that did not exist is read again', async () => {
    const { courses, missing, read } = rememberedCatalog();
    missing.add(404);
    expect((await courses([404])).size).toBe(0);
    missing.clear();
    expect((await courses([404])).size).toBe(1);
    expect(read).toEqual([[404], [404]]);
  });

  it('courses of two companies with the same id are distinct', async () => {
    const { courses, read } = rememberedCatalog();
    await courses([101]);
    await courses([101], { ...ACCEPTED, company_id: 'globex' });
    expect(read).toEqual([[101], [101]]);
  });
});

it('the courses read first are forgotten where memory would hold more than 200,000 classes', async () => {
  const { courses, read } = rememberedCatalog((id) => (id < 3 ? 99_000 : 5_000));
  await courses([1]);
  await courses([2]);
  await courses([1, 2]);
  expect(read).toEqual([[1], [2]]);
  await courses([3]);
  await courses([2, 3]);
  expect(read).toEqual([[1], [2], [3]]);
  await courses([1]);
  expect(read).toEqual([[1], [2], [3], [1]]);
});

it('mappings are remembered as well, apart from the courses', async () => {
  const memory = courseMemory({ nowMs: () => 10 * SECOND });
  let reads = 0;
  const read = async (ids: readonly string[]) => {
    reads += ids.length;
    return new Map(ids.map((id) => [id, { external_course_id: id, platform_course_id: 101, updated_at: '' }]));
  };
  for (let chunk = 0; chunk < 3; chunk += 1) await memory.mappings(ACCEPTED, ['101'], read);
  await memory.courses(ACCEPTED, [101], async () => new Map());
  expect(reads).toBe(1);
});
