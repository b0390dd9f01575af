import type { Field } from './fields.ts';

/** Headers in the exports of common systems, letters and digits only, in lower case. Earlier spellings are preferred. */
const SPELLINGS: Readonly<Partial<Record<Field, readonly string[]>>> = {
  external_record_id: [
    'externalrecordid',
    'recordid',
    'enrollmentid',
    'enrolmentid',
    'registrationid',
    'attemptid',
    'statementid',
  ],
  'user.email': [
    'useremail',
    'email',
    'emailaddress',
    'mail',
    'studentemail',
    'learneremail',
    'actormbox',
    'loginid',
    'sisloginid',
    'correo',
    'correoelectronico',
  ],
  'user.external_user_id': [
    'userexternaluserid',
    'externaluserid',
    'userid',
    'studentid',
    'learnerid',
    'idnumber',
    'sisuserid',
    'canvasuserid',
    'employeeid',
    'personid',
    'username',
  ],
  'content.platform_course_id': ['contentplatformcourseid', 'platformcourseid'],
  'content.external_course_id': [
    'contentexternalcourseid',
    'externalcourseid',
    'courseid',
    'coursekey',
    'courseshortname',
    'courseidnumber',
    'siscourseid',
    'canvascourseid',
    'coursecode',
    'packageid',
    'activityid',
    'objectid',
    'course',
    'coursename',
  ],
  'content.external_ref': ['contentexternalref', 'externalref', 'reference'],
  'progress.completion_pct': [
    'progresscompletionpct',
    'completionpct',
    'progress',
    'completion',
    'percentcomplete',
    'completepercent',
    'progresspercent',
    'progresspct',
    'completionpercentage',
    'completed%',
    'progressmeasure',
    'percentage',
  ],
  'progress.started_at': [
    'progressstartedat',
    'startedat',
    'started',
    'startdate',
    'enrolled',
    'enrolledat',
    'enrollmentdate',
    'enrolmentdate',
    'timeenrolled',
    'timestarted',
    'firstaccess',
    'firstlaunch',
    'firstlaunched',
    'enrolledon',
  ],
  'progress.last_activity_at': [
    'progresslastactivityat',
    'lastactivityat',
    'lastactivity',
    'lastaccess',
    'lastaccessed',
    'lastlaunch',
    'lastvisited',
    'timestamp',
  ],
  'progress.completed_at': [
    'progresscompletedat',
    'completedat',
    'completiondate',
    'datecompleted',
    'timecompleted',
    'completedon',
    'completed',
    'finished',
    'finishdate',
  ],
  'progress.classes': ['progressclasses'],
  'assessment.status': [
    'assessmentstatus',
    'status',
    'result',
    'passfail',
    'passed',
    'successstatus',
    'lessonstatus',
    'certificateeligible',
    'examstatus',
    'outcome',
  ],
  'assessment.score_pct': [
    'assessmentscorepct',
    'scorepct',
    'score',
    'finalscore',
    'currentscore',
    'grade',
    'finalgrade',
    'coursetotal',
    'coursetotalreal',
    'scorescaled',
    'examscore',
  ],
  'assessment.taken_at': [
    'assessmenttakenat',
    'takenat',
    'examdate',
    'passedat',
    'certificatedate',
    'certificateissued',
    'certifiedat',
    'graded',
    'gradedat',
  ],
};

/** Which column fills which member of a record, by preferred spelling; a column fills one member at most. */
export function guessColumns(columns: readonly string[]): Map<Field, string> {
  const bare = columns.map((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const found = new Map<Field, string>();
  const used = new Set<number>();
  for (const [field, spellings] of Object.entries(SPELLINGS) as [Field, readonly string[]][]) {
    const index = spellings
      .map((spelling) => bare.findIndex((name, at) => name === spelling && !used.has(at)))
      .find((at) => at !== -1);
    if (index === undefined) continue;
    used.add(index);
    found.set(field, columns[index] ?? '');
  }
  return found;
}
