/** Every text of the page, in German. */
import { counted, IMPORT, n, rows } from './de-import.ts';
import { MIGRATIONS, PLAN_PROBLEMS } from './de-migrations.ts';
import { REVIEW } from './de-review.ts';
import type { Texts } from './en-page.ts';

export const TEXTS: Texts = {
  language: 'de',
  locale: 'de',
  engine: async () => (await import('../../texts/de.ts')).DE,
  n,
  quoted: (text) => `„${text}“`,
  product: 'Lernfortschritt übertragen',
  screens: {
    'sign-in': 'Anmelden',
    file: 'Datei',
    review: 'Durchsehen',
    import: 'Übertragen',
    result: 'Ergebnis',
    migrations: 'Übertragungen',
    run: 'Übertragung',
    learner: 'Lernende',
    archive: 'Archiv',
    evidence: 'Nachweis',
  },
  steps: 'Schritte der Übertragung',
  more: 'Weiteres',
  atLine: (line) => `Zeile ${n(line)}`,
  skipToContent: 'Zum Inhalt',
  skipToAction: 'Zum nächsten Schritt',
  continue: 'Weiter',
  change: 'Ändern',
  keep: 'Behalten',
  working: 'Einen Moment …',
  signOut: 'Abmelden',
  problem: 'Das hat nicht geklappt',
  waiting: (isAway, count) =>
    `${isAway ? 'Keine Verbindung.' : 'Die Plattform ist ausgelastet.'} In ${counted(count, 'Sekunde', 'Sekunden')} wird es noch einmal versucht; nichts geht verloren.`,
  problems: {
    needs_file: () => 'Wählen Sie zuerst eine Datei.',
    needs_sign_in: () => 'Melden Sie sich zuerst an.',
    other_company: (company) =>
      `Diese Seite arbeitet für die Firma ${company}. Laden Sie sie neu, um sich bei einer anderen anzumelden.`,
    no_mapping: (file) => `Zu ${file} gibt es keine Entscheidungen.`,
    no_rejected_rows: () => 'Es gibt keine abgelehnten Zeilen.',
    file_changed: () =>
      'Die Datei wurde inzwischen geändert oder lässt sich nicht mehr lesen. Wählen Sie sie noch einmal.',
    worker_silent: () =>
      'Die Datei macht dieser Seite zu viel Arbeit. Laden Sie die Seite neu, und exportieren Sie die Datei noch einmal, als CSV mit den nötigen Spalten.',
    unreachable: () =>
      'Die Plattform ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.',
    no_service: (status) =>
      `Die Plattform arbeitet gerade nicht (HTTP ${status}). Versuchen Sie es später noch einmal.`,
    unexpected: (message) => `Unerwarteter Fehler: ${message}`,
    invalid_request: () => 'Die Plattform kann die Anfrage nicht verwenden. Melden Sie es dem Support der Plattform.',
    unauthorized: () => 'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
    forbidden: () => 'Dieses Konto hat keine Administratorrechte. Bitten Sie den Support der Plattform darum.',
    migrations_not_enabled: () =>
      'Für Ihre Firma sind Übertragungen nicht freigeschaltet. Bitten Sie den Support der Plattform darum.',
    too_many_requests: () => 'Das waren zu viele Versuche. Versuchen Sie es in einigen Minuten noch einmal.',
    run_not_found: () => 'Ihre Firma hat keine solche Übertragung.',
    import_not_found: () => 'Ihre Firma hat keinen solchen Teil einer Übertragung.',
    learner_not_found: () => 'Ihre Firma hat niemanden mit dieser Adresse.',
    nobody_found: (part) =>
      `Niemand in den letzten Übertragungen hat „${part}“ in der Adresse. Andere finden Sie mit der ganzen Adresse.`,
    ...PLAN_PROBLEMS,
    run_not_terminal: () => 'Die Übertragung läuft noch. Versuchen Sie es nach ihrem Ende noch einmal.',
    import_not_terminal: () => 'Die Übertragung läuft noch. Versuchen Sie es nach ihrem Ende noch einmal.',
    report_expired: () => 'Die einzelnen Ergebnisse werden nicht länger aufbewahrt. Was übertragen ist, bleibt.',
    idempotency_key_reused: () =>
      'Die Datei wurde vorher anders gelesen. Prüfen Sie sie noch einmal, und übertragen Sie sie.',
    internal_error: () =>
      'Die Plattform hat einen Fehler gemacht. Versuchen Sie es noch einmal: Nichts wird doppelt gespeichert.',
    temporarily_unavailable: () => 'Die Plattform ist ausgelastet. Versuchen Sie es in einigen Minuten noch einmal.',
  },
  draft: {
    kept: 'Alle Entscheidungen sind gesichert.',
    unsaved: 'Wird gesichert …',
    somebody: 'jemand anderem',
    conflict: (by, at) => `Diese Übertragung wurde am ${at} auch von ${by} geändert.`,
    conflictHint:
      'Was Sie seitdem entschieden haben, ist nicht gesichert. Wählen Sie, was gilt: Das andere geht verloren.',
    takeTheirs: 'Die andere Fassung übernehmen',
    keepMine: 'Meine Fassung behalten',
    failed: 'Was Sie entschieden haben, ist nicht gesichert.',
    tryAgain: 'Noch einmal versuchen',
  },
  companyOf: (name, company) => `${name}, Firma ${company}`,
  table: {
    search: 'In der Tabelle suchen',
    found: (count, all) => (count === all ? rows(all) : `${n(count)} von ${rows(all)}`),
    before: 'Zeilen davor',
    after: 'Zeilen danach',
    shown: (first, last) => `${n(first)}–${n(last)}`,
    moreColumns: (count) => `${counted(count, 'weitere Spalte', 'weitere Spalten')} rechts.`,
    moreRows: (count) => `Die Tabelle hat die ersten ${rows(count)}, die Datei zum Herunterladen alle.`,
  },
  signIn: {
    intro: 'Melden Sie sich als Administratorin oder Administrator Ihrer Firma an.',
    again: 'Ihre Sitzung ist abgelaufen. Melden Sie sich noch einmal an: Dann geht es hier weiter.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    provider: 'Mit dem Konto Ihrer Firma',
    refused: 'Die Anmeldung wurde nicht abgeschlossen. Beginnen Sie noch einmal.',
    leaving:
      'Das Konto Ihrer Firma führt von hier weg. Entscheidungen bleiben; wählen Sie danach die Datei noch einmal.',
  },
  file: {
    intro: 'Wählen Sie den Export Ihres alten Lernsystems. Gleich aufgebaute Dateien können Sie zusammen übertragen.',
    private: 'Noch verlässt nichts diesen Computer: Die Datei wird hier in Ihrem Browser gelesen.',
    label: 'Dateien',
    drop: 'Excel, CSV oder JSON. Sie können Dateien auch hierher ziehen.',
    reading: 'Die Datei wird gelesen …',
    found: 'Gefunden',
    readAs: (form, size) => `Gelesen als ${form} · ${n(size)} KB`,
    sheetForm: (sheet) => `Excel, Blatt „${sheet}“`,
    csvForm: (separator, encoding) => `CSV, Trennzeichen ${separator}, ${encoding}`,
    headerForm: (line) => `, Überschriften in Zeile ${line}`,
    sheet: 'Blatt',
    header: 'Zeile der Überschriften',
    encoding: 'Zeichensatz',
    separator: 'Trennzeichen',
    firstRows: (name) => `Die ersten Zeilen von ${name}`,
    separators: { ',': 'Komma', ';': 'Semikolon', '\t': 'Tabulator', '|': 'senkrechter Strich' },
    mapping: 'Gespeicherte Entscheidungen öffnen',
    mappingHint:
      'Freiwillig: die Entscheidungen einer früheren Übertragung, hier oder an der Kommandozeile gespeichert.',
    mappingUsed: (name) => `Die Entscheidungen aus ${name} gelten.`,
    answersOf: (title, by, day) =>
      `Eine so aufgebaute Datei wurde schon übertragen: ${title}, am ${day} von ${by}. Die Antworten können wieder gelten.`,
    useAnswers: 'Diese Antworten übernehmen',
    draftOf: (title, by, at) => `Weiter mit ${title}. Zuletzt geändert am ${at} von ${by}.`,
    chooseAgain: (names) =>
      `Wählen Sie ${names} noch einmal: Was entschieden ist, liegt auf der Plattform, die Datei nur auf Ihrem Computer.`,
    proposes: (by) =>
      `${by} schlägt vor, was aus den Zeilen wird. Bestätigt ist davon nichts: Sie entscheiden beim Durchsehen.`,
    imported: (title) => `${title} ist schon übertragen.`,
    other: (names) => `In dieser Übertragung geht es um ${names}, nicht um diese Datei.`,
    otherHint: 'Gehen Sie weiter: Was entschieden ist, bleibt, wo es passt. Oder beginnen Sie eine neue Übertragung.',
    begin: 'Neue Übertragung beginnen',
    same: (title, by, at) => `Diese Datei wird schon vorbereitet: ${title}, zuletzt geändert am ${at} von ${by}.`,
    goOn: 'Damit weitermachen',
    mappingDrop: 'Ohne sie beginnen',
    plain: 'Die Datei spricht die Sprache der Plattform: Es gibt nichts durchzusehen.',
  },
  review: REVIEW,
  courses: {
    title: (count) => `${counted(count, 'Kurs braucht', 'Kurse brauchen')} Ihre Wahl`,
    certain: (count) => `${counted(count, 'Kurs', 'Kurse')} zugeordnet`,
    old: 'Kurs in der Datei',
    becomes: 'Kurs der Plattform',
    search: 'Kurs suchen …',
    choiceOf: (course) => `Kurs der Plattform für ${course}`,
    use: (title) => `${title} verwenden`,
    unknown: 'Diesen Kurs gibt es auf der Plattform nicht.',
  },
  ...IMPORT,
  ...MIGRATIONS,
};
