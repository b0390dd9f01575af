/** The version that a deployment says it has. Costs milliseconds. */
import { expect, it } from 'vitest';
import { getOpenapi } from '../../functions/handlers/get-openapi.ts';
import { packageVersion } from '../../bin/build/version.ts';

const versionFor = async (environment: Record<string, string>) =>
  ((await getOpenapi({ headers: {} }, environment)).body as { info: { version: string } }).info.version;

it('the document names the deployed version; without one, that of the package', async () => {
  expect(await versionFor({ SERVICE_VERSION: '1.2.3+abc' })).toBe('1.2.3+abc');
  expect(await versionFor({})).toBe(packageVersion());
});

it('the document names the address of the documentation that the deployment gives', async () => {
  const externalDocsFor = async (environment: Record<string, string>) =>
    ((await getOpenapi({ headers: {} }, environment)).body as { externalDocs?: object }).externalDocs;
  const url = 'https://docs.example.com/';
  expect(await externalDocsFor({ DOCUMENTATION_URL: url })).toEqual({ url });
  expect(await externalDocsFor({})).toBeUndefined();
});
