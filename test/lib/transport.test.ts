/** CORS and the rotation of the signing key, in the template. Costs about a second. */
import { describe, expect, it } from 'vitest';
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import { settingsFrom } from '../../lib/settings-file.ts';
import { templateOf } from '../kit/template.ts';

const templateWith = (context: Record<string, string>) => templateOf(settingsFrom((name) => context[name]).settings);
const corsOf = (template: Template) => resourcesOfType(template, 'AWS::ApiGatewayV2::Api')[0]?.[1]['CorsConfiguration'];
const keysOf = (template: Template) => resourcesOfType(template, 'AWS::KMS::Key').map(([id]) => id);
const aliasesOf = (template: Template) =>
  resourcesOfType(template, 'AWS::KMS::Alias').map(([, properties]) => properties['AliasName']);

describe('pages of other origins', () => {
  it('may not call the API unless they are named', () => {
    expect(corsOf(templateWith({}))).toBeUndefined();
  });

  it('may call it, without cookies, if their origins are named', () => {
    expect(corsOf(templateWith({ cors: 'https://app.example.com, http://localhost:5173' }))).toMatchObject({
      AllowOrigins: ['https://app.example.com', 'http://localhost:5173'],
      AllowMethods: ['GET', 'POST'],
      AllowHeaders: ['authorization', 'content-type', 'idempotency-key'],
      AllowCredentials: false,
    });
  });
});

it('the next signing key is another key under another alias, so that the first still exists while the second takes over', () => {
  const [first, second] = [templateWith({}), templateWith({ 'signing-key': '2' })];
  expect(keysOf(second)).toHaveLength(1);
  expect(keysOf(second)).not.toEqual(keysOf(first));
  expect(aliasesOf(second)).not.toEqual(aliasesOf(first));
});
