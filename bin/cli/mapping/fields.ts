/** Every member of a migration record (§2.7) that a column may fill, by its dotted name, and the kind of value it takes. */
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

export const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

export const isField = (name: string): name is Field => Object.hasOwn(FIELDS, name);
