/** The files, records, journals and imports of tests of runs. This file imports nothing of the service. */
import { openRecordFile, type RecordFileOptions } from '../../../../bin/importer/command/files/records.ts';
import type { Mapping } from '../../../../bin/importer/engine/language/schema.ts';
import { openRecords } from '../../../../bin/importer/engine/apply/open-records.ts';
import { RecordSet } from '../../../../bin/importer/engine/apply/record-set.ts';
import type { JournalStore } from '../../../../bin/importer/engine/run/journal.ts';
import type { InputFile } from '../../../../bin/importer/engine/read/bytes.ts';
import { fileOf } from './files.ts';

export const HEADER = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';

/** A file of so many rows, of which every tenth is rejected. */
export const csvOf = (count: number): string =>
  fileOf(
    [
      HEADER,
      ...Array.from({ length: count }, (_, i) => `r-${i},${i % 10 === 9 ? 'nobody' : 'hana.suzuki'}@acme.test,102,40`),
    ].join('\n'),
  );

export const recordOf = (id: string) => ({
  external_record_id: id,
  user: { email: 'hana.suzuki@acme.test' },
  content: { type: 'course' as const, platform_course_id: 102 },
  progress: { completion_pct: 40 },
});

/** Records that the archive keeps: of a person who is not on the platform, of a course that nobody has mapped. */
export const ofLeaver = (id: string) => ({ ...recordOf(id), user: { email: `${id}@gone.test` } });
export const ofCourse = (id: string) => ({
  ...recordOf(id),
  content: { type: 'course' as const, external_course_id: 'old-1' },
});

export const setOf = async (file: string, options?: RecordFileOptions): Promise<RecordSet> =>
  new RecordSet([await openRecordFile(file, options)], undefined);

/** The records of files under a mapping that nobody has stored. */
export async function setWith(mapping: Mapping, ...files: readonly InputFile[]): Promise<RecordSet> {
  const chosen = { mapping, path: undefined };
  const open = (file: InputFile) => openRecords(file, { mapping: chosen, mappingFor: () => chosen });
  return new RecordSet(await Promise.all(files.map(open)), undefined);
}

export const memoryStore = (lines: string[] = []): JournalStore => ({
  read: async () => lines,
  append: async (line) => void lines.push(line),
});
