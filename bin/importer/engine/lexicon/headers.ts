/** Headers that name a role, in exports in English; those of other languages are in `words`. */
import type { Field } from '../ground/fields.ts';

/** What a column holds by its header: a member of a record, a status, a class, or the day of an enrollment. */
export type Role = Field | 'status' | 'module' | 'enrolled';

const COURSE =
  '(?:course|course offering|class|training|module|content|item|activity|lo|learning object|learning|lesson|transcript)';
const DATE = '(?:date|on|at|time)';
/** A remark behind a date, like `(PST/PDT)`, has lost its brackets. */
const ZONE = '( (utc|gmt|local|timezone|time|[a-z]{2,4}t|[a-z]{3} [a-z]{3}|yyyy mm dd|dd mm yyyy|mm dd yyyy))*';

/** Such a header does not say whether it is the share of a course or of an exam's points. */
const SHARE = /^(%|percent|percentage)$/;
export const isBareShare = (plain: string): boolean => SHARE.test(plain);

/** Headers in the exports of many systems in English. Earlier patterns are preferred; `words` has those of other languages. */
export const HEADERS = {
  external_record_id: [/^external record id$/, /^(enrol?lment|registration|attempt|statement|transcript|record) id$/],
  'content.platform_course_id': [/^(content )?platform course id$/],
  'content.external_course_id': [
    /^(content )?external course id$/,
    /^(sis |canvas )?course[ -]?(id|code|key|number|no|nr|short ?name|id number|idnumber)$/,
    new RegExp(`^(sis |canvas )?${COURSE}[ -]?(id|code|key|number|no|nr|short ?name|id number|idnumber)$`),
    /^(course sis|courseidnumber|courseshortname|activity id|object id|package id|training object id|entity id)$/,
    /^course([ -]?(name|title|full ?name))?$/,
    new RegExp(`^(${COURSE} )?${COURSE}([ -]?(name|title|full ?name))?$`),
    /^(title|entity title|(certification|certificate)( name| title)?|program(me)?( name)?|(learning )?(plan|path)( name)?|curriculum( name| title)?)$/,
    /^(event|workshop|seminar|webinar|package|asset)( (name|title))?$/,
  ],
  'content.external_ref': [/^(content )?external ref(erence)?$/, /^reference$/],
  'user.external_user_id': [
    /^(user )?external user id$/,
    /^(sis |canvas )?(user|student|learner|employee|person|personnel|participant|login|member)[ -]?(id|no|number|nr|sis|sourced id)$/,
    /^(id number|username|user name|user login|login|login name|user|learner|employee)$/,
  ],
  'progress.completion_pct': [
    /^(progress )?completion (pct|percentage|%)$/,
    new RegExp(
      `^(overall )?(${COURSE} )?(progress|completion)( (%|pct|percentage|percent|measure|rate|status %))?( %)?$`,
    ),
    /^(%|pct|percent|percentage|% (percent|percentage)) (of course )?(complete|completed|completion|progress|done)$/,
    new RegExp(`^(${COURSE} )?completed? (%|pct|percent|percentage)$`),
    /^(course )?completion ratio$|^percent completed$|^progress percentage$|^avg completion$/,
    /^percent(age)? of content viewed( or duration)?$/,
    SHARE,
  ],
  'progress.completed_at': [
    new RegExp(`^(progress |${COURSE} )*(completed|completion|finished|finish|complete) ?${DATE}( ?time)?${ZONE}$`),
    /^(date|time) (completed|of completion|finished|certified)$|^timecompleted$|^finished$|^completiondate$/,
    new RegExp(`^((time|course|content) ?)?completed${ZONE}$`),
    /^(last completed|completed date|end|ended|end date|date ended|certified( on| at)?|achieved( on)?)$/,
    /^(issue|issued|award|awarded)( date| on| at)?$|^date (issued|awarded)$/,
  ],
  'progress.started_at': [
    new RegExp(
      `^(progress |training |attempt |${COURSE} )*(started|start|first access|first accessed|first launch|first launched|first viewed) ?${DATE}?( ?time)?${ZONE}$`,
    ),
    /^date (started|first access(ed)?)$|^time ?started$|^first (viewed|launched|accessed|visit).*$/,
  ],
  enrolled: [
    new RegExp(
      `^(progress |training |${COURSE} )*(enrolled|enroll?|enrol?lment|registration|registered|assigned|assignment|subscription|subscribed|invitation|created) ?${DATE}( ?time)?${ZONE}$`,
    ),
    /^date (enrolled|assigned|registered)$|^time ?enrolled$|^(enrolled|enroll?|enrol?lment|registration|enroll? date)$/,
  ],
  'progress.last_activity_at': [
    new RegExp(
      `^(progress |${COURSE} )?last (${COURSE} )?(access|accessed|activity|active|visited|visit|launch|launched|viewed|login|attempt|attempted|seen)( clip)?( ${DATE})?${ZONE}$`,
    ),
    /^timestamp$|^(updated|modified)( at| date| on)?$|^last (modified|updated)( date)?$/,
  ],
  'progress.classes': [/^progress classes$/],
  module: [/^(module|lesson|chapter|unit|section|topic|activity|sco|activity name|class)( (name|title))?$/],
  status: [
    new RegExp(`^(progress |${COURSE} )*(completion|progress) (status|state)( (id|name|description|desc|label))?$`),
    new RegExp(`^(learner |user |student )?(${COURSE} )+(status|state)$`),
    /^(status|state|learner status|completion)$/,
    /^(current|latest|overall|learning) (status|state)$/,
    /^(is |has |was )?(course )?(complete|completed|finished|done|passed or completed)$/,
    /^(attended|attendance)$/,
    /^(enrol?lment|registration|participation|attendance|assignment|certification|progress) (status|state)$/,
  ],
  'assessment.status': [
    /^assessment status$/,
    /^(final )?(exam|quiz|test|assessment)( (result|status|outcome|passed|pass fail))?$/,
    /^(is |has )?(pass fail|passed|pass|grade passed|success status|success|passed exam|passed quiz|passed test|pass or fail|passing status|pass status)$/,
    /^(result|outcome)$/,
  ],
  'assessment.score_pct': [
    /^assessment score pct$/,
    /^final (score|grade|mark|result)( (%|pct|percent|percentage))?$/,
    /^((exam|final|quiz|test|current|course|average|training|transcript|overall|best|high|highest) ?)*(score|grade|mark|result)( (%|pct|percent|percentage|scaled))?( %)?$/,
    /^(result )?score (scaled|pct|percent|percentage)$|^course total( percentage)?$/,
  ],
  'assessment.taken_at': [
    /^assessment taken at$/,
    new RegExp(`^(exam|passed|pass|certificate|certified|certification|graded|taken|test|quiz)( issued)? ?${DATE}$`),
    /^certificate issued$/,
  ],
} as const satisfies Partial<Record<Role, readonly RegExp[]>>;

/** Words of a start, which count for more than those of an enrolment beside them. */
export const STARTED =
  /start|\b(begin|began|begun|first)|begonn|debut|commenc|demarr|\binici|\binizi|avviat|rozpocz|basla|開始|开始|시작/;

/** The member that a role of `words` fills. */
export const WORD_ROLES: Readonly<Partial<Record<Role, readonly string[]>>> = {
  'user.email': ['email'],
  'content.external_course_id': ['course_id', 'course'],
  'user.external_user_id': ['user_id', 'login'],
  'progress.completion_pct': ['pct'],
  'progress.completed_at': ['completed_at'],
  'progress.started_at': ['started_at'],
  enrolled: ['started_at'],
  'progress.last_activity_at': ['last_activity_at'],
  module: ['module'],
  status: ['status', 'completed_at'],
  'assessment.status': ['exam'],
  'assessment.score_pct': ['score'],
  'assessment.taken_at': ['taken_at'],
};
