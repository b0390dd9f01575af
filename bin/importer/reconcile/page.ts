/** The page that a person signs: one HTML file without scripts, styles or pictures from elsewhere. */
import { STATES } from './compare.ts';
import type { Beyond } from './beyond.ts';
import type { Counts, CourseCounts, Finding } from './tally.ts';
import { grouped, shown } from '../text.ts';

export interface Reconciliation {
  readonly checked_at: string;
  readonly base_url: string;
  readonly company_id: string;
  /** Account that made the comparison. */
  readonly checked_by: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly rows: number;
  readonly counts: Counts;
  readonly courses: readonly CourseCounts[];
  /** Records that were also read one by one, and found as the comparison says. */
  readonly read_one_by_one: number;
  readonly findings: readonly Finding[];
  /** What the platform has of these learners in these courses that the files do not have. */
  readonly beyond: readonly Beyond[];
}

/** Rows on the page; all are in the JSON file. */
const MOST_ROWS = 2000;

const MEANINGS: Readonly<Record<keyof Counts, string>> = {
  equal: 'the platform has the row as the file has it',
  higher: 'the platform has the row, and the learner has more in that course',
  different: 'the platform has another content, learner or course under the id of the row',
  missing: 'the platform does not have the row',
};

export function reconciliationPage(reconciliation: Reconciliation): string {
  const { checked_at, base_url, company_id, checked_by, files, rows, counts, courses, findings, beyond } =
    reconciliation;
  const isComplete = counts.different + counts.missing === 0;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Reconciliation of ${escaped(company_id)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Reconciliation of ${escaped(company_id)}</h1>
<p class="${isComplete ? 'complete' : 'open'}">${isComplete ? 'Every row of the files is on the platform.' : `${grouped(counts.different + counts.missing)} of ${grouped(rows)} rows are not on the platform as the files have them.`}</p>
${table(
  ['', 'rows', 'meaning'],
  STATES.map((state) => [state, counts[state], MEANINGS[state]]),
)}
<h2>What was compared</h2>
${table(
  ['file', 'SHA-256'],
  files.map(({ path, sha256 }) => [path, sha256]),
)}
<p>Compared at ${escaped(checked_at)} with company ${escaped(company_id)} at ${escaped(base_url)} by ${escaped(checked_by)}. ${grouped(reconciliation.read_one_by_one)} equal rows were also read one by one.</p>
<h2>Courses</h2>
${table(
  ['course', 'title', 'rows', 'equal', 'higher', 'different', 'missing'],
  courses.map((each) => [
    String(each.course ?? 'none'),
    each.title ?? '',
    each.rows,
    each.equal,
    each.higher,
    each.different,
    each.missing,
  ]),
)}
${findingsSection(findings)}
${beyondSection(beyond)}
<h2>Sign-off</h2>
<table class="sign"><tr><th>Name</th><td></td></tr><tr><th>Date</th><td></td></tr><tr><th>Signature</th><td></td></tr></table>
</body>
</html>
`;
}

function findingsSection(findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  const ordered = findings.toSorted((a, b) => Number(a.state === 'higher') - Number(b.state === 'higher'));
  const more =
    findings.length > MOST_ROWS ? `<p>${grouped(findings.length - MOST_ROWS)} more rows are in the JSON file.</p>` : '';
  const rows = ordered
    .slice(0, MOST_ROWS)
    .map(({ file, line, external_record_id, learner, course, state, reason = '', there = '' }) => [
      `${file}, line ${line}`,
      external_record_id ?? '',
      learner ?? '',
      String(course ?? ''),
      state,
      [reason, there].filter((text) => text !== '').join(' '),
    ]);
  return `<h2>Rows that are not equal</h2>\n${table(['place', 'id', 'learner', 'course', 'state', 'why'], rows)}\n${more}`;
}

function beyondSection(beyond: readonly Beyond[]): string {
  if (beyond.length === 0) return '';
  const more =
    beyond.length > MOST_ROWS ? `<p>${grouped(beyond.length - MOST_ROWS)} more are in the JSON file.</p>` : '';
  const rows = beyond
    .slice(0, MOST_ROWS)
    .map(({ email, course, title, found }) => [email, String(course), title ?? '', found.join(' ')]);
  const head = ['learner', 'course', 'title', 'what'];
  return `<h2>What the platform has of these learners beyond the files</h2>\n${table(head, rows)}\n${more}`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const titles = head.map((title) => `<th>${escaped(title)}</th>`).join('');
  const lines = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`);
  return `<table><tr>${titles}</tr>\n${lines.join('\n')}\n</table>`;
}

const cell = (value: string | number): string =>
  typeof value === 'number' ? `<td class="number">${grouped(value)}</td>` : `<td>${escaped(value)}</td>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => shown(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #1a1a1a; background: #fff }
table { border-collapse: collapse; margin: 1em 0; width: 100% }
th, td { border: 1px solid #bbb; padding: .3em .6em; text-align: left; overflow-wrap: anywhere; vertical-align: top }
.number { text-align: right; white-space: nowrap }
.complete, .open { padding: .6em 1em; border-left: .4em solid #1a7f37; background: #eaf6ec }
.open { border-color: #b35900; background: #fff4e5 }
.sign { width: 30em } .sign th { width: 8em } .sign td { height: 2.5em }
@media print { body { margin: 0 } }
`;
