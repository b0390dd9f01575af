/** Old titles and their counterparts, labelled by hand; only `tuning.txt` shaped the matcher. Costs under a second. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Catalog, type CatalogCourse } from '../../../../bin/importer/engine/match/match.ts';

interface Labelled {
  readonly courses: readonly CatalogCourse[];
  readonly pairs: readonly { readonly old: string; readonly title: string | undefined }[];
}

function labelled(name: string): Labelled {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = lines
    .filter((line) => line.includes(' => '))
    .map((line) => line.split(' => '))
    .map(([old = '', title = '']) => ({ old, title: title === '-' ? undefined : title }));
  const others = lines.filter((line) => line.startsWith('+ ')).map((line) => line.slice(2));
  const titles = new Set([...pairs.flatMap(({ title }) => title ?? []), ...others]);
  return { pairs, courses: [...titles].map((title, index) => ({ platform_course_id: 1000 + index, title })) };
}

function measured({ courses, pairs }: Labelled) {
  const catalog = new Catalog(courses);
  const results = pairs.map(({ old, title }) => ({ title, ...catalog.match({ id: old, title: old }) }));
  const applied = results.filter(({ course }) => course !== undefined);
  const right = applied.filter(({ course, title }) => course?.title === title).length;
  const positives = pairs.filter(({ title }) => title !== undefined).length;
  return {
    isComplete: right / positives >= 0.9,
    isPrecise: right / applied.length >= 0.99,
    appliedAmbiguous: applied.filter(({ kind }) => kind === 'ambiguous').length,
  };
}

it.each(['tuning.txt', 'held-out.txt'])(
  'the titles of %s find nine in ten of their counterparts, and no wrong one',
  (name) => {
    expect(measured(labelled(name))).toEqual({ appliedAmbiguous: 0, isPrecise: true, isComplete: true });
  },
);

describe('Catalog.match', () => {
  const course = (platform_course_id: number, title: string): CatalogCourse => ({ platform_course_id, title });
  const catalog = new Catalog(
    [
      course(101, 'Data Protection'),
      course(102, 'Excel Level 1'),
      course(103, 'Excel Level 2'),
      course(104, 'Fire Safety'),
      course(105, 'Fire Safety'),
    ],
    new Map([['old-9', 104]]),
  );
  const kindOf = (id: string, title?: string): string => catalog.match({ id, title }).kind;

  it('a course that is registered already keeps its counterpart', () => {
    expect(catalog.match({ id: 'old-9', title: 'Something else' })).toMatchObject({
      kind: 'registered',
      course: { platform_course_id: 104 },
    });
  });

  it('a course with an id of the catalog is that course, unless the titles contradict each other', () => {
    expect(kindOf('101')).toBe('same id');
    expect(kindOf('101', 'Data protection')).toBe('same id');
    expect(catalog.match({ id: '101', title: 'Excel Level 1' })).toMatchObject({
      kind: 'ambiguous',
      course: undefined,
    });
  });

  it('a course is ambiguous if two courses have its title, and has no counterpart if only a number differs', () => {
    expect(catalog.match({ id: 'x', title: 'Fire safety' })).toMatchObject({ kind: 'ambiguous', course: undefined });
    expect(kindOf('x', 'Excel Level 3')).toBe('none');
    expect(kindOf('x', 'Excel level 2')).toBe('same title');
  });

  it('a course is not taken for one with another code or language', () => {
    const coded = new Catalog([course(1, 'ISO-9001 Awareness'), course(2, 'Welcome (ES)')]);
    expect(coded.match({ id: 'x', title: 'ISO-27001 Awareness' }).course).toBeUndefined();
    expect(coded.match({ id: 'x', title: 'Welcome (EN)' }).course).toBeUndefined();
    expect(coded.match({ id: 'x', title: 'Welcome - Spanish' }).course?.platform_course_id).toBe(2);
  });
});
