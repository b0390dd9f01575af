/** User ids of the old system. Costs under a second. */
import { createPlatform } from '../support/platform.ts';
import { expect, it } from 'vitest';
import { mapUsers, plannedUsers } from '../../../../bin/importer/command/commands/map-users.ts';
import { fileOf } from '../support/files.ts';
import { contextOf, recordedOutput } from '../support/output.ts';

it('a file that gives a user id two addresses is refused', async () => {
  const users = fileOf('user_id,email\n1,ana@acme.test\n1,ANA@acme.test\n1,bo@acme.test\n');
  await expect(mapUsers(users, {}, contextOf(recordedOutput()))).rejects.toThrow('line 4');
});

it('a dry run reports of users what registering them reports', async () => {
  const { client } = await createPlatform();
  await client.registerUserMappings([{ external_user_id: 'same', email: 'ben.castillo@acme.test' }]);
  await client.registerUserMappings([{ external_user_id: 'moved', email: 'ben.castillo@acme.test' }]);
  const listed = [
    ['same', 'Ben.Castillo@acme.test'],
    ['moved', 'lena.bauer@acme.test'],
    ['new', 'lena.bauer@acme.test'],
    ['gone', 'nobody@acme.test'],
    ['left', 'ivan.petrov@acme.test'],
  ];
  const step = await plannedUsers(client);
  const planned = await step(listed.map((texts, index) => ({ line: index + 2, texts })));
  const done = await client.registerUserMappings(
    listed.map(([external_user_id = '', email = '']) => ({ external_user_id, email })),
  );
  expect(planned.counts).toEqual(done.counts);
  expect(planned.mappings.map(({ status }) => status)).toEqual(done.mappings.map(({ status }) => status));
});
