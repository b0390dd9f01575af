/** The migrations of a company, and one of them, in German. */
import { counted, n, people } from './de-import.ts';
import type { MIGRATIONS as ENGLISH } from './en-migrations.ts';

const records = (count: number): string => counted(count, 'Datensatz', 'Datensätze');
const ofRecords = (count: number, all: number): string => `${n(count)} von ${counted(all, 'Datensatz', 'Datensätzen')}`;

/** Why a plan cannot be approved or imported. */
export const PLAN_PROBLEMS = {
  approval_required: () => 'Ihre Firma überträgt nur, was eine zweite Person aus der Administration freigegeben hat.',
  approval_by_another: () =>
    'Der Plan ist ganz oder zum Teil von Ihnen. Eine zweite Person aus der Administration Ihrer Firma muss ihn freigeben.',
  plan_not_found: () => 'Diese Übertragung hat keinen Plan mehr. Prüfen Sie die Datei noch einmal.',
  plan_digest_differs: () =>
    'Der Plan wurde inzwischen neu erstellt. Laden Sie die Seite neu, um seinen Stand zu sehen.',
  plan_closed: () =>
    'Dieser Plan ist beendet oder wird schon übertragen. Laden Sie die Seite neu, um seinen Stand zu sehen.',
  /** Another plan would withdraw it. */
  plan_waits: () => 'Diese Übertragung hat schon einen Plan. Übertragen Sie ihn zuerst, oder ziehen Sie ihn zurück.',
};

export const MIGRATIONS: typeof ENGLISH = {
  migrations: {
    add: 'Neue Übertragung',
    search: 'Nach Name oder Person suchen',
    none: 'Keine Übertragung passt zu dieser Suche.',
    older: 'Ältere zeigen',
    waiting: 'Wartet auf Sie',
    running: 'Läuft',
    done: 'Abgeschlossen',
    open: 'Öffnen',
    goOn: 'Fortsetzen',
    look: 'Ansehen und freigeben',
    you: 'Ihnen',
    somebody: 'jemand anderem',
    at: (day, time) => `${day} um ${time}`,
    counted: {
      columns: (count) => counted(count, 'Spalte', 'Spalten'),
      kinds: (count) => counted(count, 'Art', 'Arten'),
      courses: (count) => counted(count, 'Kurs', 'Kurse'),
      people,
    },
    stillOpen: (what) => `${what} offen`,
    nothingOpen: 'nichts offen',
    changed: (when) => `zuletzt geändert ${when}`,
    planned: (who, when) => `geplant von ${who}, ${when}`,
    since: (when) => `seit ${when}`,
    away: 'Sie können diese Seite schließen',
    took: (time) => `dauerte ${time}`,
    records,
    fresh: 'neu',
    changes: 'geändert',
    same: 'schon da',
    written: 'geschrieben',
    onPlatform: (count) => `${n(count)} auf der Plattform`,
    asIfNever: 'als hätte es sie nie gegeben',
    withdraw: 'Plan zurückziehen',
    lastChange: 'Zuletzt geändert',
    plannedBy: 'Plan erstellt',
    approvedBy: 'Freigegeben',
    appliedBy: 'Übertragung gestartet',
    comment: 'Bemerkung',
    revertedAt: 'Zurückgenommen',
    address: 'Nummer',
    example: 'Zum Beispiel',
    stop: 'Anhalten',
    stopHint: 'Nichts weiter wird übertragen. Was übertragen ist, bleibt, bis Sie es zurücknehmen.',
    stopYes: 'Ja, anhalten',
    notYet: 'Noch nicht',
    remove: 'Entwurf löschen',
    removeHint: 'Was entschieden ist, geht für alle verloren. Übertragen ist nichts.',
    removeYes: 'Ja, löschen',
    plan: 'Der Plan',
    verdict: (count, all) => `${ofRecords(count, all)} ${count === 1 ? 'wird' : 'werden'} übertragen`,
    readingPlan: (count, all) => `Der Plan wird gelesen: ${ofRecords(count, all)}`,
    firstOf: (count, all) => `Gezählt an den ersten ${ofRecords(count, all)}.`,
    someRecords: 'Einige Personen, vorher → nachher',
    sinceTitle: 'Seit der Plan erstellt wurde',
    draftChanged: (when) => `Der Entwurf wurde ${when} geändert. Im Plan fehlt das.`,
    importedSince: (count) =>
      `${counted(count, 'andere Übertragung ist', 'andere Übertragungen sind')} abgeschlossen. Was jetzt anders als geplant gespeichert würde, wird abgelehnt.`,
    knownSince: (count) =>
      `Die Plattform kennt inzwischen ${counted(count, 'weitere Person', 'weitere Personen')}. Eine neue Prüfung würde auch ihre Zeilen übertragen.`,
    nothingSince: 'Nichts ist geschehen, was den Plan betrifft.',
    approve: 'Freigeben',
    approveHint: (count) =>
      `Sie erlauben, ${records(count)} wie hier geplant zu übertragen. Geschrieben wird erst, wenn jemand die Übertragung startet.`,
    approveYes: (count) => `Ja, ${records(count)} freigeben`,
    mayApprove: (maker) =>
      `Freigeben darf die Administration Ihrer Firma, außer ${maker}: Niemand gibt den eigenen Plan frei.`,
  },
  archive: {
    intro:
      'Aufbewahrt, weil die Person oder der Kurs auf der Plattform fehlte. Nichts davon zählt, bevor es übertragen ist.',
    ofRun: 'Was das Archiv davon aufbewahrt',
    ofLearner: 'Im Archiv aufbewahrt',
    allRuns: 'Alle Übertragungen',
    empty: 'Das Archiv hat keinen solchen Datensatz.',
    first: (count) => `Die ersten ${count}`,
    tryAll: 'Ansehen, was jetzt übertragen werden kann',
    tryHint: 'Die Plattform prüft jeden Datensatz und schreibt nichts.',
    alive: (count, all) => `${ofRecords(count, all)} ${count === 1 ? 'kann' : 'können'} jetzt übertragen werden`,
    plan: 'Einen Plan daraus machen',
  },
  firstTime: {
    title: 'Zum ersten Mal hier?',
    steps: [
      'Exportieren Sie die Historie Ihres alten Systems, wie sie kommt: Excel, CSV oder JSON.',
      'Bestätigen Sie, was daraus wird: Nur das wird übertragen.',
      'Sehen Sie jede Zeile vorher und nachher, und übertragen Sie dann. Ein Klick nimmt alles zurück.',
    ],
    sample: 'Eine Beispieldatei ausprobieren',
    fileName: 'beispiel.csv',
    rely: 'Worauf Sie sich verlassen können',
    promises: [
      'Fortschritt auf der Plattform wird nie verringert.',
      'Jede Zeile hat ein Ergebnis, und einen Grund, wenn sie nicht geschrieben wurde.',
      'Jede Zeile wird wie freigegeben geschrieben oder abgelehnt.',
    ],
  },
  runs: {
    by: 'Begonnen',
    ended: 'Beendet',
    total: 'Datensätze',
    imported: 'Übertragen',
    rejected: 'Abgelehnt',
    userId: (id) => `Konto ${id}`,
    counts: 'Zahlen der Übertragung',
    states: {
      draft: 'Entwurf',
      planned: 'wartet auf Freigabe',
      approved: 'freigegeben, noch nicht übertragen',
      processing: 'läuft',
      success: 'vollständig',
      partial_success: 'vollständig, einige abgelehnt',
      error: 'nichts übertragen',
      partly_archived: 'vollständig, der Rest im Archiv',
      archived: 'alles im Archiv',
      cancelled: 'abgebrochen',
      reverted: 'zurückgenommen',
      partly_reverted: 'teilweise zurückgenommen',
    },
    expired: 'Die einzelnen Ergebnisse werden nicht länger aufbewahrt. Was übertragen ist, bleibt.',
  },
};
