import type { Field } from './fields.ts';
import type { ColumnProfile } from './table-profile.ts';

/** Headers as they are compared: lower case, without accents, one blank between words. */
export const plainHeader = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();

const COURSE =
  '(?:course|class|training|module|content|item|activity|lo|learning object|kurs|curso|cours|corso|formation|schulung)';
const DATE = '(?:date|on|at|time|datum|am|fecha|date de|data|le|el)';

/** Headers in the exports of many systems, in several languages. Earlier patterns are preferred. */
const HEADERS: Readonly<Partial<Record<Field, readonly RegExp[]>>> = {
  external_record_id: [/^external record id$/, /^(enrol?lment|registration|attempt|statement|transcript|record) id$/],
  'content.platform_course_id': [/^(content )?platform course id$/],
  'content.external_course_id': [
    /^(content )?external course id$/,
    new RegExp(`^(sis |canvas )?${COURSE}[ -]?(id|code|key|number|no|nr|nummer|short ?name|id number|idnumber)$`),
    /^(course sis|courseidnumber|courseshortname|kurs ?nummer|activity id|object id|package id|training object id|entity id|codigo del? curso|code (du )?cours)$/,
    new RegExp(`^${COURSE}([ -]?(name|title|full ?name|titel|bezeichnung))?$`),
    /^(title|kurstitel|nombre del curso|titulo del curso|nom du cours|intitule|titolo)$/,
  ],
  'content.external_ref': [/^(content )?external ref(erence)?$/, /^reference$/],
  'user.external_user_id': [
    /^(user )?external user id$/,
    /^(sis |canvas )?(user|student|learner|employee|person|personnel|participant|login)[ -]?(id|no|number|nr|sis)$/,
    /^(id number|username|user name|user login|personalnummer|mitarbeiternummer|matricule|numero de empleado|nombre de usuario|identifiant)$/,
  ],
  'progress.completion_pct': [
    /^(progress )?completion (pct|percentage|%)$/,
    new RegExp(`^(${COURSE} )?(progress|completion)( (%|pct|percentage|percent|measure|rate|status %))?$`),
    /^(% )?(percent|percentage)( (complete|completed|completion))?$|^%( (complete|completed))?$|^complete(d)? (%|percent)$/,
    /^(course )?completion ratio$|^percent completed$|^progress percentage$|^avg completion$/,
    /^(fortschritt|kursfortschritt|progreso|avance|progression|avancement|progresso|completado|voortgang)( %)?$/,
  ],
  'progress.completed_at': [
    new RegExp(`^(progress |transcript |${COURSE} )?(completed|completion|finished|finish|complete) ?${DATE}( .*)?$`),
    /^date (completed|of completion)$|^(time|course)? ?completed$|^timecompleted$|^finished$|^completiondate$|^course completed on$/,
    /^(abgeschlossen( am)?|abschlussdatum|fecha de (finalizacion|termino)|finalizado( el)?|date (d achevement|de fin)|termine le|data di completamento|voltooid op)$/,
  ],
  'progress.started_at': [
    new RegExp(
      `^(progress |transcript |training |${COURSE} )?(started|start|first access|first launch|first launched|first viewed|enrolled|enrol?lment|registration|registered|assigned) ?${DATE}?( .*)?$`,
    ),
    /^date (started|enrolled|assigned|first access(ed)?)$|^time ?(enrolled|started)$|^started$|^enrolled$/,
    /^(begonnen( am)?|startdatum|eingeschrieben( am)?|einschreibedatum|fecha de (inicio|inscripcion|matricula)|inscrito|date (de debut|d inscription)|inscrit le|commence le)$/,
  ],
  'progress.last_activity_at': [
    new RegExp(
      `^(progress |${COURSE} )?last (access|accessed|activity|visited|visit|launch|launched|viewed|login)( ${DATE})?( .*)?$`,
    ),
    /^timestamp$|^(letzter zugriff|letzte aktivitat|ultimo acceso|ultima actividad|dernier acces|derniere activite|ultimo accesso)$/,
  ],
  'progress.classes': [/^progress classes$/],
  'assessment.status': [
    /^assessment status$/,
    /^(exam|quiz|test|assessment|final exam|prufung|examen|esame)( (result|status|outcome))?$/,
    /^(result|pass fail|passed|success status|outcome|ergebnis|bestanden|resultado|aprobado|resultat)$/,
    /^(lesson status|status|completion status|transcript status|course status)$/,
  ],
  'assessment.score_pct': [
    /^assessment score pct$/,
    /^(exam|final|quiz|test|current|course|average|training)? ?(score|grade|mark|result|punkte|punktzahl|note|nota|calificacion|puntuacion|punteggio)( (%|pct|percent|percentage|scaled))?$/,
    /^score (scaled|pct|percent|percentage)$|^course total( percentage)?$/,
  ],
  'assessment.taken_at': [
    /^assessment taken at$/,
    new RegExp(`^(exam|passed|pass|certificate|certified|certification|graded|taken)( issued)? ?${DATE}$`),
    /^certificate issued$|^(prufungsdatum|bestanden am|fecha (del examen|de aprobacion)|date (de l examen|d obtention))$/,
  ],
};

/** Addresses of other people in the row. */
const OTHER_PERSON = /manager|supervisor|boss|instructor|trainer|teacher|approver|vorgesetzt|superior|jefe|author/;

/** The column that fills each member of a record; a column fills one member at most, and an empty column fills no member. */
export function guessColumns(columns: readonly ColumnProfile[]): Map<Field, ColumnProfile> {
  const found = new Map<Field, ColumnProfile>();
  const used = new Set<ColumnProfile>();
  const take = (field: Field, column: ColumnProfile | undefined): void => {
    if (column === undefined) return;
    used.add(column);
    found.set(field, column);
  };
  take('user.email', addressColumn(columns));
  for (const [field, patterns] of Object.entries(HEADERS) as [Field, readonly RegExp[]][]) {
    const free = columns.filter((column) => !used.has(column) && column.values.length > 0 && mayFill(field, column));
    take(field, patterns.flatMap((pattern) => free.find(({ name }) => pattern.test(plainHeader(name))) ?? [])[0]);
  }
  return found;
}

/** An address is an address under any header. */
function addressColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const some = columns.filter(({ isAddress }) => isAddress);
  const own = some.filter(({ name }) => !OTHER_PERSON.test(plainHeader(name)));
  return own.find(({ name }) => /mail|courriel|correo|login/.test(plainHeader(name))) ?? own[0] ?? some[0];
}

const IS_DATE = /_at$/;

/** A header alone is not enough if the values contradict it. */
function mayFill(field: Field, column: ColumnProfile): boolean {
  if (IS_DATE.test(field)) return column.dateFormats.length > 0 || !column.isNumber;
  if (field === 'progress.completion_pct' || field === 'assessment.score_pct') return column.isNumber;
  if (field === 'assessment.status') return !column.isNumber || column.values.every((text) => /^[01]$/.test(text));
  return true;
}

/** The column of a list of ids that fills each member, by its header alone. */
export function columnsByHeader(names: readonly string[]): Map<Field, string> {
  const found = new Map<Field, string>();
  const patterns: [Field, readonly RegExp[]][] = [
    [
      'user.email',
      [
        /^(user )?e ?mail( address| adresse)?$|^mail( address)?$|^correo( electronico)?$|^courriel$|^actor mbox$|^(sis )?login id$/,
        /mail/,
      ],
    ],
    ...(Object.entries(HEADERS) as [Field, readonly RegExp[]][]),
  ];
  for (const [field, some] of patterns) {
    const name = some.flatMap(
      (pattern) => names.find((each) => pattern.test(plainHeader(each)) && ![...found.values()].includes(each)) ?? [],
    )[0];
    if (name !== undefined) found.set(field, name);
  }
  return found;
}
