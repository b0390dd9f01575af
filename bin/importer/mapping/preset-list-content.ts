/** Exports of content libraries, and those that standards describe. */
import { PROGRESS_OF, type Shape } from './preset-shape.ts';

export const CONTENT_PRESETS: Readonly<Record<string, readonly Shape[]>> = {
  // Learner detail report, from its help pages; not found in public code. Videos are rows of their own.
  'linkedin-learning': [
    {
      has: [],
      record: {
        'user.email': ['Email'],
        'user.external_user_id': ['Unique User ID', 'Employee ID'],
        'content.external_course_id': ['Content ID', 'Content URN', 'Content Name'],
        'progress.completion_pct': ['Percent Completed', 'Progress Percentage', 'Progress %'],
        'progress.started_at': ['First Viewed (PST/PDT)', 'First Viewed', 'First Viewed Date'],
        'progress.last_activity_at': ['Last Viewed (PST/PDT)', 'Last Viewed', 'Last Viewed Date'],
        'progress.completed_at': ['Completed (PST/PDT)', 'Completed At (PST/PDT)', 'Completed', 'Completion Date'],
      },
      settings: { time_zone: 'America/Los_Angeles' },
      skip: [{ columns: ['Content Type'], is: ['Video*', 'Learning Path*', 'Collection*'] }],
    },
  ],
  // User course activity report, from its help pages; not found in public code.
  udemy: [
    {
      has: [],
      record: {
        'user.email': ['User Email', 'Email'],
        'user.external_user_id': ['User External ID'],
        'content.external_course_id': ['Course ID', 'Course Title'],
        'progress.completion_pct': ['Completion Ratio', 'Course Completion Ratio', 'Percent Completed'],
        'progress.started_at': ['Start Date', 'Course Start Date', 'Enrollment Date', 'Course Enroll Date'],
        'progress.last_activity_at': ['Last Activity Date', 'Last Accessed Date', 'Course Last Accessed Date'],
        'progress.completed_at': ['Completion Date', 'Course Completion Date', 'First Completion Date'],
      },
    },
  ],
  // Experience API 1.0.3, part 2: statements.
  xapi: [
    {
      has: ['verb.id', 'object.id'],
      record: {
        'user.email': ['actor.mbox'],
        'user.external_user_id': ['actor.account.name'],
        'content.external_course_id': ['object.id'],
        'progress.completion_pct': [
          { column: 'result.completion', values: { true: 100, false: 0 } },
          {
            column: 'verb.id',
            values: {
              '*/completed': 100,
              '*/passed': 100,
              '*/failed': 0,
              '*/experienced': 0,
              '*/initialized': 0,
              '*/launched': 0,
              '*/attempted': 0,
              '*/terminated': 0,
              '*/answered': 0,
              '*/progressed': 0,
            },
          },
        ],
        'progress.started_at': ['timestamp'],
        'progress.last_activity_at': ['timestamp'],
        'assessment.status': [
          { column: 'result.success', values: { true: 'passed', false: 'failed' } },
          { column: 'verb.id', values: { '*/passed': 'passed', '*/failed': 'failed', '*': 'not_taken' } },
        ],
        'assessment.score_pct': [{ column: 'result.score.scaled', scale: 100 }],
        'assessment.taken_at': ['timestamp'],
      },
      group_by: [['actor.mbox', 'actor.account.name'], ['object.id']],
    },
  ],
  // SCORM 2004 4th edition, run-time environment: completion status, success status, score and progress measure.
  scorm: [
    {
      has: [],
      record: {
        external_record_id: ['registration id', 'registration'],
        'user.email': ['learner email', 'email', 'actor_mbox'],
        'user.external_user_id': ['learner id', 'cmi.learner_id'],
        'content.external_course_id': ['course id', 'package id', 'activity_id', 'activity id'],
        'progress.completion_pct': [
          { column: 'progress measure', scale: 100 },
          { column: 'progress_measure', scale: 100 },
          PROGRESS_OF('completion status'),
          PROGRESS_OF('registration completion'),
        ],
        'progress.started_at': ['first access date', 'first_launched', 'created date'],
        'progress.last_activity_at': ['last access date', 'last_launched', 'updated date'],
        'progress.completed_at': ['completed date', 'completed_at'],
        'assessment.status': ['success status', 'registration success', 'success_status'].map((column) => ({
          column,
          values: { passed: 'passed', failed: 'failed', unknown: 'not_taken' },
        })),
        'assessment.score_pct': [
          { column: 'score_scaled', scale: 100 },
          { column: 'score scaled', scale: 100 },
          'score',
        ],
        'assessment.taken_at': ['completed date', 'completed_at'],
      },
    },
  ],
  // 1EdTech OneRoster 1.1, results.csv.
  oneroster: [
    {
      has: ['lineItemSourcedId', 'studentSourcedId'],
      record: {
        external_record_id: ['sourcedId'],
        'user.external_user_id': ['studentSourcedId'],
        'content.external_course_id': ['lineItemSourcedId'],
        'progress.completion_pct': [
          { column: 'scoreStatus', values: { 'fully graded': 100, 'not submitted': 0, submitted: 0, exempt: 0 } },
        ],
        'assessment.score_pct': ['score'],
        'assessment.taken_at': ['scoreDate'],
      },
      skip: [{ columns: ['status'], is: ['tobedeleted', 'inactive'] }],
    },
  ],
};
