/**
 * Renders docs/openapi.json, which get-openapi serves, and companies/settings.schema.json, for editors. Run `npm run openapi`
 * after a change to a schema, an operation or a setting.
 */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { settingsSchema } from '../../lib/settings.ts';
import { packageVersion } from './version.ts';

const SETTINGS_SCHEMA = new URL('../../companies/settings.schema.json', import.meta.url);
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);

export function renderedDocument(): string {
  return `${JSON.stringify(openApiDocument(packageVersion()), null, 2)}\n`;
}

export function renderedSettingsSchema(): string {
  return `${JSON.stringify(settingsSchema(), null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(DOCUMENT, renderedDocument());
  writeFileSync(SETTINGS_SCHEMA, renderedSettingsSchema());
}
