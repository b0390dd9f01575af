/** What is asked of Amazon SES. Costs milliseconds. */
import type { SendEmailCommand } from '@aws-sdk/client-sesv2';
import { expect, it } from 'vitest';
import { sesMailer } from '../../functions/notices/mailer.ts';

const FROM = 'migrations@acme.example';

function mailerOver(respond: (command: SendEmailCommand) => unknown) {
  const client = { send: async (command: SendEmailCommand) => respond(command) };
  return sesMailer({ MAIL_FROM: FROM }, client);
}

it('one mail goes to all addresses, as text, from the address of the setting', async () => {
  const sent: SendEmailCommand['input'][] = [];
  const mailer = mailerOver(({ input }) => sent.push(input));
  await mailer.send({ subject: 'Importiert: Ä', text: 'ß' }, ['a@acme.test', 'b@acme.test']);
  expect(sent).toEqual([
    {
      FromEmailAddress: FROM,
      Destination: { ToAddresses: ['a@acme.test', 'b@acme.test'] },
      Content: {
        Simple: {
          Subject: { Data: 'Importiert: Ä', Charset: 'UTF-8' },
          Body: { Text: { Data: 'ß', Charset: 'UTF-8' } },
        },
      },
    },
  ]);
});

it('a mail service that is down is reported as temporarily unavailable, a refusal as it is', async () => {
  const failing = (name: string) =>
    mailerOver(() => {
      throw Object.assign(new Error(name), { name });
    }).send({ subject: '', text: '' }, []);
  await expect(failing('TooManyRequestsException')).rejects.toMatchObject({ name: 'TemporarilyUnavailable' });
  await expect(failing('MessageRejected')).rejects.toMatchObject({ name: 'MessageRejected' });
});
