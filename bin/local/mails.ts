/** Amazon SES on one machine: each mail becomes a line, and a file where data is kept. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { engineOf, type LocalEngine } from './engines.ts';

/** Below `--dir`. */
const FOLDER = 'mails';

/** `SendEmail` of a simple mail. `onLine` gets a line for each; the directory keeps each as an `.eml` file, which mail programs open. */
export function mailEngine(
  directory: string | undefined,
  onLine: (line: string) => void = () => undefined,
): LocalEngine {
  return engineOf((_, request: SendEmailCommandInput) => {
    const MessageId = randomUUID();
    const mail = mailIn(request);
    const file = directory && keep(join(directory, FOLDER), MessageId, emlOf(mail));
    onLine(`mail to ${mail.to}: ${mail.subject}${file === undefined ? '' : ` (${file})`}`);
    return { MessageId };
  });
}

type Mail = ReturnType<typeof mailIn>;

function mailIn({ FromEmailAddress: from = '', Destination, Content }: SendEmailCommandInput) {
  const { Subject, Body } = Content?.Simple ?? {};
  const to = (Destination?.ToAddresses ?? []).join(', ');
  return { from, to, subject: dataOf(Subject), text: dataOf(Body?.Text) };
}

const dataOf = (content: { readonly Data: string | undefined } | undefined): string => content?.Data ?? '';

function keep(folder: string, id: string, eml: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${id}.eml`);
  writeFileSync(file, eml, { mode: 0o600 });
  return file;
}

const LINE = /.{1,76}/g;
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** RFC 5322 with a text in base64; the subject is an encoded word (RFC 2047). */
function emlOf({ from, to, subject, text }: Mail): string {
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${encodedWords(subject)}`,
    `Date: ${new Date().toUTCString()}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(base64(text).match(LINE) ?? []),
    '',
  ].join('\r\n');
}

/** So few characters, each of at most four bytes, are less than the 75 that an encoded word may have. */
const CHARACTERS_OF_A_WORD = 11;

function encodedWords(text: string): string {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / CHARACTERS_OF_A_WORD);
  const words = Array.from({ length: count }, (_, at) =>
    characters.slice(at * CHARACTERS_OF_A_WORD, (at + 1) * CHARACTERS_OF_A_WORD).join(''),
  );
  return words.map((word) => `=?utf-8?B?${base64(word)}?=`).join('\r\n ');
}
