/** The courses of an export. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../../bin/importer/engine/ground/errors.ts';
import { type CourseColumns, oldCourses } from '../../../../bin/importer/engine/match/old-courses.ts';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { fileOf } from '../../command/support/files.ts';

const coursesIn = async (content: string, columns: CourseColumns = {}, name?: string) =>
  oldCourses(await openSourceFile(fileOf(content, name)), columns);

describe('oldCourses', () => {
  it('each course is found once, the most frequent first', async () => {
    const csv = 'Email,Course ID,Course name\na@x.test,C1,Fire\nb@x.test,C2,Ladders\nc@x.test,C2,Ladders\n';
    expect(await coursesIn(csv)).toEqual([
      { id: 'C2', title: 'Ladders', rows: 2 },
      { id: 'C1', title: 'Fire', rows: 1 },
    ]);
  });

  it('a course without an id is known by its title', async () => {
    expect(await coursesIn('Email,Kursname\na@x.test,Brandschutz\n')).toEqual([
      { id: 'Brandschutz', title: 'Brandschutz', rows: 1 },
    ]);
  });

  it('a number is no title: a course that only has one is known by its id', async () => {
    expect(await coursesIn('Email,Course\na@x.test,101\nb@x.test,2024 Safety\n')).toEqual([
      { id: '101', title: undefined, rows: 1 },
      { id: '2024 Safety', title: '2024 Safety', rows: 1 },
    ]);
  });

  it('courses have the titles of courses, not the names of learners', async () => {
    expect(await coursesIn('name,course_id,course_title\nBen,C1,Fire\nAnn,C1,Fire\n')).toEqual([
      { id: 'C1', title: 'Fire', rows: 2 },
    ]);
  });

  it.each([
    ['Name,Email,Content ID,Content Name', 'José Nuñez,j@x.test,C1,Fire'],
    ['User - User Email,Training - Object ID,Training - Training Title', 'j@x.test,C1,Fire'],
    ['Email,Course ID,Title,Titre de la formation', 'j@x.test,C1,Dr.,Fire'],
  ])('the columns %s have the titles of the courses', async (header, row) => {
    expect(await coursesIn(`${header}\n${row}\n`)).toMatchObject([{ title: 'Fire' }]);
  });

  it('the name of a learner is no title, and a list of courses has plain names', async () => {
    expect(await coursesIn('Name,Email,Course ID\nJosé Nuñez,j@x.test,C1\n')).toMatchObject([{ title: undefined }]);
    expect(await coursesIn('Course ID,Name\nC1,Fire\n')).toMatchObject([{ title: 'Fire' }]);
  });

  it('courses are found in the columns or members that are named', async () => {
    expect(await coursesIn('who,what\na@x.test,Fire\n', { titleColumn: 'what' })).toMatchObject([{ id: 'Fire' }]);
    expect(
      await coursesIn('{"c":{"id":7,"t":"Fire"}}\n', { idColumn: 'c.id', titleColumn: 'c.t' }, 'h.ndjson'),
    ).toEqual([{ id: '7', title: 'Fire', rows: 1 }]);
    await expect(coursesIn('who,what\na,b\n')).rejects.toThrow('no_column_of_courses');
    await expect(coursesIn('who,what\na,b\n', { idColumn: 'x' })).rejects.toBeInstanceOf(EngineError);
  });
});
