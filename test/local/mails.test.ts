/** A notice on one machine: the rule of the bus, its function, the mail as a line and as a file. Costs milliseconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterEach, describe, expect, it } from 'vitest';
import { engineOf } from '../../bin/local/engines.ts';
import { startAuthorisingProxy, type AuthorisingProxy } from '../../bin/local/iam/proxy.ts';
import { mailEngine } from '../../bin/local/mails.ts';
import { sesMailer } from '../../functions/notices/mailer.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

let proxy: AuthorisingProxy | undefined;
afterEach(() => proxy?.stop());

const SUBJECT = 'Zurückgenommen: Schulungen – Historie aller Länder 2001 bis 2026 🎓';

async function mailed(directory?: string): Promise<string[]> {
  const lines: string[] = [];
  const none = engineOf(() => ({}));
  const engines = { dynamodb: none, events: none, kms: none, sqs: none, ssm: none };
  proxy = await startAuthorisingProxy({ ...engines, ses: mailEngine(directory, (line) => lines.push(line)) });
  const client = new SESv2Client(proxy.operator);
  await sesMailer({ MAIL_FROM: 'm@acme.example' }, client).send({ subject: SUBJECT, text: 'Ä\n\nÖ' }, ['a@b.test']);
  client.destroy();
  return lines;
}

describe('a mail of the local stack', () => {
  it('is a line', async () => {
    expect(await mailed()).toEqual([`mail to a@b.test: ${SUBJECT}`]);
  });

  it('is a file that mail programs open, where data is kept', async () => {
    const folder = temporaryFolder('mails');
    const [line] = await mailed(folder);
    const [file = ''] = readdirSync(join(folder, 'mails'));
    expect(line).toBe(`mail to a@b.test: ${SUBJECT} (${join(folder, 'mails', file)})`);
    const eml = readFileSync(join(folder, 'mails', file), 'utf8');
    const [head = '', body = ''] = eml.split('\r\n\r\n');
    expect(head).toMatch(/^From: m@acme\.example\r\nTo: a@b\.test\r\nSubject: =\?utf-8\?B\?/);
    expect(Math.max(...head.split('\r\n').map(({ length }) => length))).toBeLessThan(79);
    const words = [...head.matchAll(/=\?utf-8\?B\?([^?]+)\?=/g)].map(([, word = '']) => word);
    expect(words.map((word) => Buffer.from(word, 'base64').toString()).join('')).toBe(SUBJECT);
    expect(Buffer.from(body, 'base64').toString()).toBe('Ä\n\nÖ');
  });
});
