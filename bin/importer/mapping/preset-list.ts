/**
 * Exports of well-known systems: which of their columns give which member. Each names where its headers were found; headers of
 * other versions and languages are found by the general guess.
 */
import { DONE, PROGRESS_OF, type Shape, TOTALS } from './preset-shape.ts';
import { CONTENT_PRESETS } from './preset-list-content.ts';

export const PRESETS: Readonly<Record<string, readonly Shape[]>> = {
  // moodle/moodle: report/progress/index.php (blank first header, states with "%F %T" dates); grade/export (… (Real), Last downloaded).
  moodle: [
    {
      has: ['Course total (Percentage)'],
      record: {
        'user.email': ['Email address'],
        'user.external_user_id': ['ID number', 'Username'],
        'progress.completion_pct': ['Course total (Percentage)'],
        'assessment.score_pct': ['Course total (Percentage)'],
      },
      settings: { skip_without_progress: true },
      keepsDates: true,
    },
    {
      has: [],
      activities: true,
      record: { 'user.email': ['Email address'], 'user.external_user_id': ['ID number', 'Username'] },
      settings: { skip_without_progress: true },
    },
  ],
  // Totara's upload of course completions: username,courseshortname,courseidnumber,completiondate,grade.
  totara: [
    {
      has: ['username', 'completiondate'],
      record: {
        'user.external_user_id': ['username'],
        'content.external_course_id': ['courseidnumber', 'courseshortname'],
        'progress.completion_pct': [DONE('completiondate')],
        'progress.completed_at': ['completiondate'],
        'assessment.score_pct': ['grade'],
      },
    },
  ],
  // Custom reports as scripts for them read: Transcript - Transcript Status, Transcript - Transcript Completed Date, Training Title …
  cornerstone: [
    {
      has: [],
      record: {
        'user.email': ['User - Email', 'User Email', 'Work Email Address', 'Email'],
        'user.external_user_id': ['User - User ID', 'User ID', 'Employee ID'],
        'content.external_course_id': [
          'Training - Training Object ID',
          'Training Object ID',
          'Training - Training Title',
          'Training Title',
        ],
        'progress.completion_pct': [
          'Transcript - Transcript Progress',
          PROGRESS_OF('Transcript - Transcript Status'),
          PROGRESS_OF('Transcript Status'),
        ],
        'progress.started_at': [
          'Training Start Date',
          'Transcript - Transcript Registration Date',
          'Transcript Registration Date',
          'Transcript - Transcript Assigned Date',
          'Transcript Assigned Date',
        ],
        'progress.completed_at': ['Transcript - Transcript Completed Date', 'Transcript Completed Date'],
        'assessment.score_pct': ['Transcript - Transcript Score', 'Transcript Score'],
      },
      skip: [
        TOTALS,
        {
          columns: ['Transcript - Transcript Status', 'Transcript Status'],
          is: ['Withdrawn*', 'Removed*', 'Cancelled*', 'Denied*', 'No Show*'],
        },
      ],
      group_by: [
        ['User - Email', 'User Email', 'Work Email Address', 'Email', 'User - User ID', 'User ID', 'Employee ID'],
        ['Training - Training Object ID', 'Training Object ID', 'Training - Training Title', 'Training Title'],
      ],
    },
  ],
  // Learning history: Completion Status ID, Is Complete as scripts for it read; Item ID, Entity ID, Completion Date as reports name them.
  successfactors: [
    {
      has: [],
      record: {
        'user.email': ['Email', 'Email Address', 'User Email'],
        'user.external_user_id': ['User ID', 'Student ID', 'Person ID'],
        'content.external_course_id': ['Item ID', 'Entity ID', 'Learning Item ID', 'Item Title', 'Entity Title'],
        'progress.completion_pct': [
          { column: 'Is Complete', values: { Y: 100, Yes: 100, N: 0, No: 0 } },
          DONE('Completion Date'),
        ],
        'progress.started_at': ['Enrollment Date', 'Registration Date', 'Assigned Date', 'Start Date'],
        'progress.completed_at': ['Completion Date', 'Completed Date'],
        'assessment.score_pct': ['Grade', 'Score'],
      },
      skip: [TOTALS],
      group_by: [
        ['Email', 'Email Address', 'User Email', 'User ID', 'Student ID', 'Person ID'],
        ['Item ID', 'Entity ID', 'Learning Item ID', 'Item Title', 'Entity Title'],
      ],
    },
  ],
  // Report fields of Docebo in public code: Enrollment Date, Course First Access Date, Course Last Access Date, Completion Date.
  docebo: [
    {
      has: [],
      record: {
        'user.email': ['Email', 'User Email'],
        'user.external_user_id': ['Username', 'User Unique ID'],
        'content.external_course_id': ['Course Code', 'Course Unique ID', 'Course ID', 'Course Name', 'Course Title'],
        'progress.completion_pct': ['Course Progress (%)', 'Course Progress', PROGRESS_OF('Enrollment Status')],
        'progress.started_at': ['Course First Access Date', 'Enrollment Date'],
        'progress.last_activity_at': ['Course Last Access Date'],
        'progress.completed_at': ['Course Completion Date', 'Completion Date'],
        'assessment.score_pct': ['Score', 'Final Score'],
      },
    },
  ],
  // Column names of the progress report of TalentLMS, from its help pages; not found in public code.
  talentlms: [
    {
      has: [],
      record: {
        'user.email': ['Email'],
        'user.external_user_id': ['Username', 'User'],
        'content.external_course_id': ['Course Code', 'Course ID', 'Course'],
        'progress.completion_pct': [
          'Progress',
          'Completion Percentage',
          'Completion %',
          PROGRESS_OF('Status'),
          PROGRESS_OF('Course Status'),
        ],
        'progress.started_at': ['Enrolled on', 'Enrollment Date'],
        'progress.last_activity_at': ['Last Accessed', 'Last Access'],
        'progress.completed_at': ['Completed on', 'Completion Date'],
        'assessment.score_pct': ['Score', 'Average Score'],
      },
    },
  ],
  // Gradebook: "Student","ID","SIS User ID","SIS Login ID","Section" in public code of its users; first data row "Points Possible".
  canvas: [
    {
      has: [],
      record: {
        'user.external_user_id': ['SIS User ID', 'student sis', 'SIS Login ID', 'ID', 'student id'],
        'content.external_course_id': ['course sis', 'course id'],
        'progress.completion_pct': ['Final Score', 'Current Score'],
        'assessment.score_pct': ['Final Score', 'Current Score'],
      },
      settings: { skip_without_progress: true },
      skip: [{ columns: ['Student', 'student name'], is: ['Points Possible*', 'Student, Test', 'Test Student'] }],
      keepsDates: true,
    },
  ],
  // edx-platform: lms/djangoapps/instructor_task/tasks_helper/grades.py.
  'open-edx': [
    {
      has: ['Certificate Eligible'],
      record: {
        'user.email': ['Email'],
        'user.external_user_id': ['Username', 'Student ID'],
        'progress.completion_pct': [{ column: 'Grade', scale: 100 }],
        'assessment.status': [{ column: 'Certificate Delivered', values: { Y: 'passed', N: 'not_taken' } }],
        'assessment.score_pct': [{ column: 'Grade', scale: 100 }],
      },
      keepsDates: true,
    },
  ],
  // LearnDash's report of user courses: user_id … steps_completed, steps_total, course_completed, course_completed_on.
  learndash: [
    {
      has: ['steps_completed', 'steps_total'],
      record: {
        'user.email': ['email', 'user_email'],
        'user.external_user_id': ['user_id'],
        'content.external_course_id': ['course_id', 'course_title'],
        'progress.completion_pct': [{ column: 'steps_completed', out_of: 'steps_total' }],
        'progress.started_at': ['course_started_on', 'enrolled_on'],
        'progress.last_activity_at': ['course_updated_on', 'last_login_date'],
        'progress.completed_at': ['course_completed_on'],
      },
    },
  ],
  ...CONTENT_PRESETS,
};
