/** The texts of evidence, in German. */
import type { EN_EVIDENCE } from './en-evidence.ts';

export const DE_EVIDENCE: typeof EN_EVIDENCE = {
  title: 'Nachweis für die Prüfung',
  hint: 'Die Plattform unterschreibt, wer wann was und warum übertragen hat, mit Prüfsummen jedes Datensatzes. Jeder kann das später nachprüfen, und niemand kann es unbemerkt ändern.',
  reason: 'Grund der Übertragung',
  needsReason: 'Geben Sie den Grund der Übertragung an: Er wird mit unterschrieben.',
  sign: 'Nachweis unterschreiben',
  signing: 'Es wird noch einmal geprüft, was sich ändern würde, dann unterschrieben …',
  signed: 'Der Nachweis ist unterschrieben.',
  off: 'Diese Plattform unterschreibt keine Nachweise. Bitten Sie darum, das einzuschalten.',
  verify: 'Nachweis prüfen',
  verifyHint: 'Ein Nachweis kann hier ohne Konto geprüft werden. Nichts verlässt diesen Computer.',
  files: 'Dateien des Nachweises',
  filesHint:
    'Der Nachweis, seine Ergebnisse und die Schlüssel der Plattform. Sie können sie auch zusammen hier ablegen.',
  holds: 'Alles, was geprüft wurde, stimmt.',
  fails: 'Nicht alles stimmt. Die Punkte unten sagen, was und wo.',
  save: 'Nachweis herunterladen',
  saveResults: 'Ergebnisse herunterladen',
  print: 'Drucken',
  of: (run) => `Übertragung ${run}`,
  facts: 'Was unterschrieben ist',
  company: 'Firma',
  signedBy: 'Unterschrieben von',
  signedAt: 'Unterschrieben am',
  issuer: 'Dienst',
  key: 'Schlüssel',
  digest: 'Prüfsumme der Teile (SHA-256)',
  moved: 'Was übertragen ist und was nicht',
  perCourse: 'Nach Kurs',
  perYear: 'Abschlüsse nach Jahr',
  notMoved: 'Nicht übertragen, nach Grund',
  checked: 'Wie geprüft wurde',
  statuses: { holds: 'Stimmt:', differs: 'Weicht ab:', changed: 'Nicht mehr:', unchecked: 'Nicht geprüft:' },
  keysInside:
    'Die Schlüssel kamen mit dem Nachweis. Holen Sie die der Plattform selbst, und geben Sie diese Datei dazu.',
  limitsTitle: 'Was ein Nachweis nicht zeigen kann',
  statement: 'Erklärung der Person, die unterschrieben hat',
  imports: 'Teile der Übertragung',
  import: 'Teil',
  accepted: 'Angenommen',
  recordsDigest: 'Prüfsumme der Datensätze',
  resultsDigest: 'Prüfsumme der Ergebnisse',
  findings: {
    malformed: 'Das ist kein Nachweis einer Übertragung: {part} ist nicht, wie es unterschrieben wurde.',
    'unknown key':
      'Der Schlüssel {kid} ist nicht unter den gegebenen; wer unterschrieben hat, lässt sich nicht sagen. Holen Sie die Schlüssel von {iss} noch einmal.',
    forged:
      'Die Unterschrift passt nicht: Der Nachweis wurde geändert, oder ein anderer Schlüssel hat als {kid} unterschrieben.',
    signed: 'Die Unterschrift: Der Schlüssel {kid} von {iss} hat am {at} unterschrieben.',
    'no list': 'Die Liste der Teile fehlt, deshalb wurden weder sie noch die Ergebnisse geprüft.',
    'imports hold': 'Die Liste der Teile ist die unterschriebene; sie hat {count}.',
    'imports differ':
      'Die Liste der Teile ist nicht die unterschriebene: Ein Teil wurde geändert, hinzugefügt, weggelassen oder verschoben.',
    'imports fewer': 'Von {signed} unterschriebenen Teilen hat die Liste {count}: Einige fehlen.',
    'imports added': 'Nach der Unterschrift kamen Teile dazu: {count}. Von ihnen sagt der Nachweis nichts.',
    'import reverted':
      'Teil {import_id} wurde am {at} zurückgenommen, nach der Unterschrift. Der Nachweis sagt, was damals geschrieben wurde; es zählt nicht mehr.',
    'import erased': 'Aus Teil {import_id} wurde nach der Unterschrift eine Person gelöscht.',
    'counts hold': 'Die Zahlen sind die Summen der Zahlen der Teile.',
    'counts differ':
      'Die unterschriebenen Zahlen sind nicht die Summen der Teile: {member} ist {signed}, die Summe ist {sum}.',
    'no results': 'Die Ergebnisse fehlen, deshalb wurden sie nicht geprüft.',
    'results hold': 'Die Ergebnisse sind die unterschriebenen, Teil für Teil: {count}.',
    'results differ': 'Teil {import_id}: Die Ergebnisse ({place}) sind nicht die unterschriebenen.',
    'results erased':
      'Teil {import_id}: Die Ergebnisse ({place}) passen nicht mehr, weil seither eine Person daraus gelöscht wurde. Ob sonst etwas geändert wurde, lässt sich nicht sehen.',
    'results counted': 'Teil {import_id}: {count} der {signed} Ergebnisse sind da ({place}).',
    'results moved':
      'Teil {import_id}: {place} hat die Nummer {index}, wo {expected} folgt: Eine Zeile fehlt, ist doppelt oder verschoben.',
    'results unknown': '{place} gehört zu Teil {import_id}, der nicht in der Liste ist oder dort später kommt.',
    'results unreadable': '{place} ist kein Ergebnis eines Teils.',
    'no digest':
      'Teil {import_id} endete, bevor dieser Dienst Prüfsummen machte; seine Ergebnisse lassen sich nicht prüfen.',
    'no records': 'Die Ergebnisse sind ohne die gesendeten Datensätze da, deshalb wurden diese nicht geprüft.',
    'records hold': 'Die Datensätze sind die gesendeten und unterschriebenen, Teil für Teil: {count}.',
    'records differ': 'Teil {import_id}: Die Datensätze ({place}) sind nicht die gesendeten und unterschriebenen.',
    'records erased':
      'Teil {import_id}: Die Datensätze ({place}) passen nicht mehr, weil seither eine Person daraus gelöscht wurde. Ob sonst etwas geändert wurde, lässt sich nicht sehen.',
    'records lacking': 'Teil {import_id}: {place} hat keinen Datensatz, andere haben einen.',
  },
  limits: [
    'Er zeigt, was der Dienst bekommen, getan und unterschrieben hat. Ob der Export des alten Systems wahr oder vollständig war, kann er nicht zeigen.',
    'Die Erklärung ist das Wort der Person, die unterschrieben hat: Der Dienst hat sie nicht geprüft. Vergleichen Sie die SHA-256 der Dateien, die Sie haben.',
    'Er zeigt den Stand seines Tages. Was seither zurückgenommen oder gelöscht wurde, steht in einer Liste von heute.',
    'Wer den Schlüssel hat, könnte alles unterschreiben. Dass er dem Dienst gehört, wissen Sie nur, wenn Sie ihn selbst dort geholt haben.',
  ],
};
