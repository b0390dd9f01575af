/** Renders docs/openapi.json, which get-openapi serves. Run `npm run openapi` after a change to a schema or an operation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../lib/openapi/document.ts';

const PACKAGE = new URL('../package.json', import.meta.url);
const DOCUMENT = new URL('../docs/openapi.json', import.meta.url);

export function renderedDocument(): string {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  return `${JSON.stringify(openApiDocument(version), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(DOCUMENT, renderedDocument());
