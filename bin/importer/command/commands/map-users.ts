import type { MigrationClient, UserMappingReport } from '../../client/index.ts';
import { resolvedUsers } from '../../engine/match/find-users.ts';
import type { ListedRow } from '../../engine/records/listed-rows.ts';
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
  registrationCommand('map-users', 'register user ids of the old system', [
    'map-users people.csv --dry-run',
    'map-users people.csv --id-column Number --email-column Mail',
  ]).option('--email-column <name>', 'column with the e-mail addresses');

export const command = (run: RunCommand) =>
  declared().action((file, options) => run(options, (context) => mapUsers(file, options, context)));

/** `map-users FILE`: registers user ids of the old system (§4.2 operation 3). */
export const mapUsers = (
  file: string,
  options: OptionsOf<typeof declared, RegistrationOptions>,
  context: CommandContext,
): Promise<number> =>
  registerAll(file, options, context, {
    wanted: [
      { field: 'user.external_user_id', column: options.idColumn, option: '--id-column' },
      { field: 'user.email', column: options.emailColumn, option: '--email-column' },
    ],
    registration: (client) => (rows) =>
      client.registerUserMappings(
        rows.map(({ texts: [external_user_id = '', email = ''] }) => ({ external_user_id, email })),
      ),
    dryRun: plannedUsers,
  });

/** Reports as a registration would; reads the registered ids once, before the first rows. */
export async function plannedUsers(client: MigrationClient): Promise<Step<UserMappingReport>> {
  const registered = new Map<string, string>();
  for await (const { external_user_id, email } of client.userMappings())
    registered.set(external_user_id, email.toLowerCase());
  return async (rows) => {
    const mappings: UserMappingReport['mappings'] = [];
    for await (const [row, user] of resolvedUsers(client, rows, emailOf)) {
      const [id = '', email = ''] = row.texts;
      const errors = id === '' ? [NO_ID] : user.errors;
      const status = statusOf(errors, registered.get(id), email.toLowerCase());
      mappings.push({ index: mappings.length, external_user_id: id, email, status, errors });
    }
    return { mappings, counts: countsOf(mappings) };
  };
}

const emailOf = ({ texts: [, email = ''] }: ListedRow): string => email;
