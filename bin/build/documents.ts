/** The documents of the package, for people and assistants who have it and no checkout, and `llms.txt`, which lists them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the table “Use it” of the README, and the links in it. */
const ROW = /^\| ([^|]+) \| (.*\]\(docs\/.*) \|$/gm;
const LINK = /\]\((docs\/[\w./-]+\.(?:md|json))(?:#[^)]*)?\)/g;

/** Files by their path in the package. @param project its folder; without its README there are none */
export function documentsOf(project: string, { name, description }: { name: string; description: string }) {
  const readme = join(project, 'README.md');
  const rows = existsSync(readme) ? [...readFileSync(readme, 'utf8').matchAll(ROW)] : [];
  const named = rows.flatMap(([, purpose = '', links = '']) =>
    [...links.matchAll(LINK)].map(([, path = '']) => ({ path, purpose })),
  );
  const first = [...new Map(named.toReversed().map((each) => [each.path, each])).values()].toReversed();
  const list = first.map(({ path, purpose }) => `- [${path.replace('docs/', '')}](${path}): ${purpose}`);
  const llms = [`# ${name}`, '', `> ${description}`, '', '## Documents', '', ...list, ''].join('\n');
  const texts = first.map(({ path }) => [path, readFileSync(join(project, path), 'utf8')] as const);
  return first.length === 0 ? [] : [['llms.txt', llms] as const, ...texts];
}
