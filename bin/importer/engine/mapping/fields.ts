/** Every member of a migration record (§2.7) that a column can fill, by its dotted name, and the kind of its value. */
export const FIELDS = {
  external_record_id: 'text',
  'user.email': 'email',
  'user.external_user_id': 'text',
  'content.type': 'text',
  'content.platform_course_id': 'id',
  'content.external_course_id': 'text',
  'content.external_ref': 'text',
  'progress.completion_pct': 'number',
  'progress.started_at': 'date',
  'progress.last_activity_at': 'date',
  'progress.completed_at': 'date',
  'progress.classes': 'classes',
  'assessment.status': 'status',
  'assessment.score_pct': 'number',
  'assessment.taken_at': 'date',
} as const;

export type Field = keyof typeof FIELDS;
export type FieldKind = (typeof FIELDS)[Field];

export const isField = (name: string): name is Field => Object.hasOwn(FIELDS, name);

export const FIELD_NAMES: readonly Field[] = Object.keys(FIELDS).filter(isField);

export const STATUSES = ['passed', 'failed', 'not_taken'] as const;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Arrays are objects too. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** The members of a record by their blocks, as the interface has them. */
export type DraftRecord = Record<string, Record<string, unknown>> & Record<string, unknown>;

const PLACES = Object.fromEntries(
  FIELD_NAMES.map((field) => {
    const [block = '', member] = field.split('.');
    return [field, { block, member }];
  }),
) as Readonly<Record<Field, { readonly block: string; readonly member: string | undefined }>>;

/** Changes the record, and the block of the member, which no other record shares. */
export function place(record: Record<string, unknown>, field: Field, value: unknown): void {
  if (value === undefined) return;
  const { block, member } = PLACES[field];
  if (member === undefined) {
    record[block] = value;
    return;
  }
  if (!isObject(record[block])) record[block] = {};
  (record[block] as Record<string, unknown>)[member] = value;
}

export function memberOf(record: unknown, field: Field): unknown {
  const { block, member } = PLACES[field];
  const outer = isObject(record) ? record[block] : undefined;
  if (member === undefined) return outer;
  return isObject(outer) ? outer[member] : undefined;
}
