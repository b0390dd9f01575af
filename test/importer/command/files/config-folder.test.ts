/** The folder of sessions and journals. Costs milliseconds. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configFolder } from '../../../../bin/importer/command/files/config-folder.ts';

const FOLDER = join('/c', 'course-progress-migration');

it.each([
  ['the config folder of the user without a profile', undefined, undefined, FOLDER],
  ['a folder for the profile of the environment', undefined, 'staging', join(FOLDER, 'profiles', 'staging')],
  [
    'a folder for the profile that is given, whatever the environment says',
    'other',
    'staging',
    join(FOLDER, 'profiles', 'other'),
  ],
])('configFolder: %s', (_, given, COURSE_PROGRESS_PROFILE, folder) => {
  const environment = { XDG_CONFIG_HOME: '/c', ...(COURSE_PROGRESS_PROFILE && { COURSE_PROGRESS_PROFILE }) };
  expect(configFolder(given, environment)).toBe(folder);
});
