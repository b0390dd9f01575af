import { readFileSync, writeFileSync } from 'node:fs';
import type { Template } from '../../../../bin/local/template.ts';

/** Saved queries are no part of what runs; MiniStack refuses a template that has a type it does not know. */
const UNKNOWN = new Set(['AWS::Logs::QueryDefinition']);

/** Takes what MiniStack does not know out of a synthesized template. */
export function keepWhatMiniStackKnows(file: string): void {
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  const Resources = Object.fromEntries(Object.entries(template.Resources).filter(([, { Type }]) => !UNKNOWN.has(Type)));
  writeFileSync(file, JSON.stringify({ ...template, Resources }));
}
