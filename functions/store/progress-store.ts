import { pairKey } from '../domain/join.ts';
import type { ProgressStore } from '../workflow/ports.ts';
import { batchGet } from './batch-get.ts';
import { claimIdentities, readIdentities } from './claim-identities.ts';
import type { Database } from './database.ts';
import { learnerCourseKey } from './keys.ts';
import { toLearnerCourse } from './learner-course-item.ts';
import { writeContributions } from './write-contributions.ts';

/** Learners' progress and the identities of the records that were migrated into it. */
export function progressStore(database: Database): ProgressStore {
  return {
    async learnerCourses(company_id, pairs) {
      const keys = pairs.map(({ user_id, platform_course_id }) =>
        learnerCourseKey(company_id, user_id, platform_course_id),
      );
      const items = await batchGet(database, keys, true);
      return new Map(
        pairs.flatMap((pair, position) => {
          const item = items[position];
          return item === undefined ? [] : [[pairKey(pair), toLearnerCourse(pair, item)] as const];
        }),
      );
    },

    identities: (company_id, ids) => readIdentities(database, company_id, ids),
    claim: (company_id, claims, deadline) => claimIdentities(database, company_id, claims, deadline),
    contribute: (company_id, writes, deadline) => writeContributions(database, company_id, writes, deadline),
  };
}
