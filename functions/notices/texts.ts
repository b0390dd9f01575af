/** The mails about a run (§4.11), in each language: counts and the title of the run, and nothing of a learner. */
import type { RunEventType } from '../shared/codes.ts';

/** What a mail says of a run, and of its newest plan. */
export interface NotedRun {
  readonly company_id: string;
  readonly run_id: string;
  readonly title: string | null;
  readonly counts: { readonly total: number; readonly succeeded: number; readonly failed: number };
  readonly plan: {
    readonly status: string;
    readonly counts: {
      readonly total: number;
      readonly applied: number;
      readonly updated: number;
      readonly unchanged: number;
      readonly failed: number;
    };
  } | null;
}

export interface Mail {
  readonly subject: string;
  readonly text: string;
}

/** A cancelled application ends, too. */
type Said = RunEventType | 'Cancelled';

interface Words {
  /** By what happened: the subject without the title, and the first sentence. */
  readonly said: Readonly<Record<Said, readonly [subject: string, sentence: string]>>;
  readonly quoted: (title: string) => string;
  readonly planned: Readonly<Record<'total' | 'applied' | 'updated' | 'unchanged' | 'failed', string>>;
  readonly imported: Readonly<Record<'total' | 'succeeded' | 'failed', string>>;
  readonly open: string;
  readonly company: string;
  readonly why: string;
}

const ENGLISH: Words = {
  said: {
    'Plan Waiting': ['Ready to import', 'is ready to be imported. Nothing has been written yet.'],
    'Plan Approved': ['Approved', 'is approved. It can be imported now.'],
    'Run Ended': ['Imported', 'is imported.'],
    Cancelled: ['Cancelled', 'was cancelled. What was imported before is kept.'],
    'Run Reverted': ['Taken back', 'has been taken back. Progress is as if it had never been imported.'],
  },
  quoted: (title) => `The migration “${title}”`,
  planned: {
    total: 'Records',
    applied: 'New',
    updated: 'Changed',
    unchanged: 'Unchanged',
    failed: 'Cannot be written',
  },
  imported: { total: 'Records', succeeded: 'Imported', failed: 'Rejected' },
  open: 'Open the migration',
  company: 'Company',
  why: 'You get this mail because an administrator of the migration chose you for its notices.',
};

const GERMAN: Words = {
  said: {
    'Plan Waiting': ['Bereit zum Import', 'ist bereit zum Import. Noch wurde nichts geschrieben.'],
    'Plan Approved': ['Freigegeben', 'ist freigegeben. Sie kann jetzt importiert werden.'],
    'Run Ended': ['Importiert', 'ist importiert.'],
    Cancelled: ['Abgebrochen', 'wurde abgebrochen. Was vorher importiert wurde, bleibt erhalten.'],
    'Run Reverted': [
      'Zurückgenommen',
      'wurde zurückgenommen. Der Fortschritt ist, als wäre sie nie importiert worden.',
    ],
  },
  quoted: (title) => `Die Migration „${title}“`,
  planned: {
    total: 'Datensätze',
    applied: 'Neu',
    updated: 'Geändert',
    unchanged: 'Unverändert',
    failed: 'Nicht schreibbar',
  },
  imported: { total: 'Datensätze', succeeded: 'Importiert', failed: 'Abgelehnt' },
  open: 'Migration öffnen',
  company: 'Unternehmen',
  why: 'Sie erhalten diese Nachricht, weil ein Administrator der Migration Sie für ihre Nachrichten ausgewählt hat.',
};

const WORDS: Readonly<Record<string, Words>> = { en: ENGLISH, de: GERMAN };

type Told = NotedRun & { readonly language: string | null };

/**
 * The mail about a run after an event, in English where no language was chosen.
 *
 * @param page the address of the page, or undefined where the stack serves none
 */
export function mailAbout(type: RunEventType, run: Told, page: string | undefined): Mail {
  const { language, title, run_id, company_id } = run;
  const words = WORDS[language ?? 'en'] ?? ENGLISH;
  const name = oneLine(title ?? run_id);
  const [subject, sentence] = words.said[saidOf(type, run)];
  const number = new Intl.NumberFormat(language ?? 'en');
  const counts = countsOf(type, run, words).map(([count, value]) => `${count}: ${number.format(value)}`);
  const link = page === undefined ? [] : [`${words.open}: ${page}#/run?id=${encodeURIComponent(run_id)}`];
  const company = `${words.company}: ${company_id}`;
  return {
    subject: `${subject}: ${name}`,
    text: [`${words.quoted(name)} ${sentence}`, counts.join('\n'), ...link, company, words.why].join('\n\n'),
  };
}

const saidOf = (type: RunEventType, { plan }: NotedRun): Said =>
  type === 'Run Ended' && plan?.status === 'cancelled' ? 'Cancelled' : type;

/** Counts of the plan until it is applied, then of its imports. */
function countsOf(type: RunEventType, { plan, counts }: NotedRun, words: Words): (readonly [string, number])[] {
  const isAhead = type === 'Plan Waiting' || type === 'Plan Approved';
  return isAhead && plan !== null ? named(words.planned, plan.counts) : named(words.imported, counts);
}

function named<Name extends string>(
  names: Readonly<Record<Name, string>>,
  counts: Readonly<Record<Name, number>>,
): (readonly [string, number])[] {
  return (Object.keys(names) as Name[]).map((name) => [names[name], counts[name]]);
}

/** Nothing of a title can begin another line, or another header. */
const oneLine = (title: string): string => title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
