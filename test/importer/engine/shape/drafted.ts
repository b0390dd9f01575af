/** What a script would import of a table: each learner and course with the progress, by the mapping that is drafted for it. */
import { type Field, memberOf } from '../../../../bin/importer/engine/mapping/fields.ts';
import type { Mapping } from '../../../../bin/importer/engine/mapping/schema.ts';
import { checkDraft, corrected } from '../../../../bin/importer/engine/records/check-draft.ts';
import { draftMapping } from '../../../../bin/importer/engine/records/draft-mapping.ts';
import { openRecords } from '../../../../bin/importer/engine/records/open-records.ts';
import { settledDraft } from '../../../../bin/importer/engine/records/settle-draft.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';

export async function drafted(
  content: string | Uint8Array<ArrayBuffer>,
  isCourse?: (title: string) => boolean,
  name = 'history.csv',
) {
  const file = new File([content], name);
  const open = (mapping: Mapping) =>
    openRecords(file, { mapping: { mapping, path: undefined }, mappingFor: () => ({ mapping, path: undefined }) });
  const settled = await settledDraft(open, await draftMapping(await openSource(file), {}, isCourse));
  const { mapping, doubts } = corrected(settled, await checkDraft(() => open(settled.mapping)));
  const records: string[] = [];
  for await (const { record } of (await open(mapping)).read().entries) records.push(textOf(record));
  return { mapping, doubts, guesses: mapping.guesses ?? [], records };
}

/** `ana@x.test SEC 100 % 2024-01-02 passed`. */
function textOf(record: unknown): string {
  const pct = text(record, 'progress.completion_pct');
  const classes = memberOf(record, 'progress.classes');
  const parts = [
    text(record, 'user.email') ?? text(record, 'user.external_user_id'),
    text(record, 'content.external_course_id'),
    pct && `${pct} %`,
    text(record, 'progress.completed_at'),
    text(record, 'assessment.status'),
    Array.isArray(classes) ? classes.map((each) => String(each.platform_class_id)).join(' + ') : undefined,
  ];
  return parts.flatMap((part) => part ?? []).join(' ');
}

function text(record: unknown, field: Field): string | undefined {
  const value = memberOf(record, field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
