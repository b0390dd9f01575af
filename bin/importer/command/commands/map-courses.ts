import type { CourseMappingReport, MigrationClient } from '../../client/index.ts';
import type { CommandContext, OptionsOf, RunCommand } from '../command.ts';
import {
  countsOf,
  NO_ID,
  type RegistrationOptions,
  registerAll,
  registrationCommand,
  type Step,
  statusOf,
} from '../registration.ts';

const declared = () =>
  registrationCommand('map-courses', 'register course ids of the old system', [
    'map-courses history.courses.csv',
  ]).option('--course-column <name>', 'column with the platform_course_id');

export const command = (run: RunCommand) =>
  declared().action((file, options) => run(options, (context) => mapCourses(file, options, context)));

/** `map-courses FILE`: registers course ids of the old system (§4.2 operation 5). */
export const mapCourses = (
  file: string,
  options: OptionsOf<typeof declared, RegistrationOptions>,
  context: CommandContext,
): Promise<number> =>
  registerAll(file, options, context, {
    wanted: [
      { field: 'content.external_course_id', column: options.idColumn, option: '--id-column' },
      { field: 'content.platform_course_id', column: options.courseColumn, option: '--course-column' },
    ],
    registration: (client) => (rows) =>
      client.registerCourseMappings(
        rows.map(({ texts: [external_course_id = '', id = ''] }) => ({
          external_course_id,
          // A text that is not a number is sent as `null`: the service rejects it, and the report names the line.
          platform_course_id: /^\d{1,16}$/.test(id) ? Number(id) : Number.NaN,
        })),
      ),
    dryRun: plannedCourses,
  });

/** Reports as a registration would; reads the registered ids and the catalog once, before the first rows. */
export async function plannedCourses(client: MigrationClient): Promise<Step<CourseMappingReport>> {
  const registered = new Map<string, string>();
  for await (const { external_course_id, platform_course_id } of client.courseMappings())
    registered.set(external_course_id, String(platform_course_id));
  const catalog = new Set<string>();
  for await (const { platform_course_id } of client.courses()) catalog.add(String(platform_course_id));
  const errorsOf = (id: string, course: string): CourseMappingReport['mappings'][number]['errors'] => {
    if (id === '') return [NO_ID];
    const message = `there is no course ${course} in the catalog`;
    return catalog.has(course) ? [] : [{ error_code: 'course_not_in_catalog', message }];
  };
  return async (rows) => {
    const mappings = rows.map(({ texts: [id = '', course = ''] }, index) => {
      const errors = errorsOf(id, course);
      const status = statusOf(errors, registered.get(id), course);
      return { index, external_course_id: id, platform_course_id: Number(course), status, errors };
    });
    return { mappings, counts: countsOf(mappings) };
  };
}
