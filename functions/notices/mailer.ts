/** Mails by Amazon SES, from the address of the setting `mail-from`. */
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { PATIENT_CLIENT, dependencyFault } from '../runtime/faults.ts';
import * as ENV from '../runtime/variables.ts';
import type { Mail } from './texts.ts';

export type Mailer = ReturnType<typeof sesMailer>;

const text = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** Sends one mail to all of its addresses. */
export function sesMailer(
  environment: ENV.Environment,
  client: Pick<SESv2Client, 'send'> = new SESv2Client(PATIENT_CLIENT),
) {
  const FromEmailAddress = ENV.variable(environment, ENV.mailFrom);
  return {
    /** Throws `TemporarilyUnavailable` if SES throttles or is down. */
    async send({ subject, text: body }: Mail, addresses: readonly string[]): Promise<void> {
      const command = new SendEmailCommand({
        FromEmailAddress,
        Destination: { ToAddresses: [...addresses] },
        Content: { Simple: { Subject: text(subject), Body: { Text: text(body) } } },
      });
      await client.send(command).catch((error: unknown) => {
        throw dependencyFault(error, 'The mail service');
      });
    },
  };
}
