/** The codes of the engine in German. */
import { DE_KINDS } from './de-kinds.ts';
import type { PlaceInFile } from '../engine/ground/run-codes.ts';
import type { MatrixCells } from '../engine/ground/codes.ts';
import type { Texts } from './texts.ts';

const n = (count: number): string => count.toLocaleString('de-DE');

/** `history.csv, Zeile 3–5` */
const placeOf = (place: PlaceInFile | undefined): string =>
  place === undefined ? '–' : `${place.path}, Zeile ${place.line}${place.last === undefined ? '' : `–${place.last}`}`;

const EVIDENCE_PARTS = { form: 'die Form', header: 'der Kopf', payload: 'der Inhalt' } as const;

const columnsAre = (names: readonly string[]): string =>
  `Die Spalten sind ${names
    .slice(0, 30)
    .map((name) => `„${name}“`)
    .join(', ')}.`;

/** What the cells below the courses are. */
const CELLS: Record<MatrixCells, string> = {
  ':status': 'Status',
  ':progress': 'Fortschritt',
  ':completed': 'Abschluss',
  ':completed on': 'Tag des Abschlusses',
  ':expires on': 'Tag des Ablaufs',
};

const AFTER: Partial<Record<MatrixCells, string>> = {
  ':completed on': ' Tage des Ablaufs sagen nicht, wann ein Kurs abgeschlossen wurde: Lassen Sie solche Zeilen aus.',
  ':progress': ' Noten, Punkte und Stunden sind kein Fortschritt.',
  ':expires on':
    ' Tage des Ablaufs sagen nicht, wann ein Kurs abgeschlossen wurde: Exportieren Sie die Tage des Abschlusses.',
};

export const DE: Texts = {
  // Files
  file_without_rows: ({ path }) =>
    `${path} enthält keine Zeilen. Exportieren Sie die Datei noch einmal, für die ganze Zeit und ohne Filter, oder lassen Sie sie weg.`,
  file_empty: ({ path }) => `${path} ist leer.`,
  reading_takes_too_long: ({ path, seconds }) =>
    `${path} zu lesen dauert über ${seconds} Sekunden. Exportieren Sie die Daten noch einmal, als CSV mit den nötigen Spalten.`,
  reading_takes_too_much_memory: ({ path }) =>
    `${path} zu lesen braucht zu viel Speicher. Exportieren Sie die Daten noch einmal, in mehreren Dateien.`,
  file_compressed: ({ path }) =>
    `${path} ist komprimiert (gzip). Entpacken Sie sie, und übertragen Sie die Datei darin.`,
  file_is_pdf: ({ path }) => `${path} ist ein PDF und keine Tabelle. Exportieren Sie die Daten als CSV oder .xlsx.`,
  file_is_sql_dump: ({ path }) =>
    `${path} ist SQL und keine Tabelle. Exportieren Sie das Ergebnis einer Abfrage als CSV mit Überschriften.`,
  file_is_web_page: ({ path }) =>
    `${path} ist eine Webseite und kein Export, vielleicht eine Anmeldeseite. Melden Sie sich dort an, exportieren Sie die Datei noch einmal, und sehen Sie sie an.`,
  file_is_table_of_html: ({ path }) =>
    `${path} ist trotz des Namens eine Webseite oder XML. Speichern Sie sie in Excel oder LibreOffice als .xlsx oder CSV.`,
  file_is_xml: ({ path }) =>
    `${path} ist XML. Exportieren Sie die Daten als CSV, JSON oder .xlsx, oder speichern Sie sie in Excel als .xlsx oder CSV.`,
  encoding_unknown: ({ encoding }) =>
    `Der Zeichensatz ${encoding} ist nicht bekannt. Nennen Sie einen von WHATWG, etwa utf-8, utf-16le, windows-1252 oder Shift_JIS.`,
  file_refused_at: ({ path, line, column, problem }, sayAlso) =>
    `${path}, Zeile ${line}${column === undefined ? '' : `, Spalte ${column}`}: ${sayAlso(problem)}`,
  nul_byte: () => 'Das ist keine Textdatei (NUL-Byte).',
  not_utf8: () => 'Das ist kein UTF-8, anders als der Rest. Speichern Sie die Datei als UTF-8.',
  line_too_long: ({ bytes }) => `Die Zeile ist länger als ${n(bytes)} Bytes. Ist das die richtige Datei?`,
  row_too_long: () => 'Die Zeile ist länger als 1 MiB.',
  table_too_wide: ({ columns, most }) =>
    `Die Zeile hat ${n(columns)} Spalten, erlaubt sind ${n(most)}. Sind Zeilen und Spalten vertauscht, drehen Sie die Tabelle; sonst prüfen Sie das Trennzeichen.`,
  row_of_other_width: ({ columns, header }) =>
    `Die Zeile hat ${n(columns)} Spalten, die Überschrift hat ${n(header)}. Ein Trennzeichen oder Anführungszeichen fehlt oder ist zu viel.`,
  row_may_be_title: ({ columns, header, text }) =>
    `Die Zeile hat ${n(columns)} Spalten, die Überschrift hat ${n(header)}. Ist „${text}“ ein Titel oder eine Summe, löschen Sie die Zeile.`,
  columns_named_anew: () =>
    'Diese Zeile benennt die Spalten anders als die Überschrift. Übertragen Sie sie und die Zeilen darunter aus einer eigenen Datei.',
  rows_of_group_differ: ({ line, member }) =>
    `Nach group_by ist diese Zeile mit Zeile ${line} ein Datensatz, aber ${member} ist verschieden. Nehmen Sie dessen Spalte in group_by auf.`,
  column_missing: ({ column, wantedBy, similar, columns }) =>
    `Eine Spalte „${column}“ für ${wantedBy} gibt es nicht. ${similar === undefined ? columnsAre(columns) : `Meinten Sie „${similar}“?`}`,
  column_twice: ({ column, first, last }) =>
    `Die Spalte „${column}“ kommt zweimal vor (${first} und ${last}). Benennen Sie eine um, oder schreiben Sie „#${first}“ für die erste.`,
  // CSV
  csv_row_too_long: () => 'Die Zeile ist länger als 1 MiB. Fehlt ein schließendes Anführungszeichen?',
  quote_around_rows: ({ lines }) =>
    `Ein Anführungszeichen öffnet in dieser Zeile und schließt ${n(lines)} Zeilen darunter, obwohl jede alle Spalten hat. Löschen oder verdoppeln Sie beide.`,
  quote_inside_text: () => 'In einem Text ohne Anführungszeichen steht eines.',
  quote_never_closes: () => 'Ein Anführungszeichen öffnet in dieser Zeile und schließt nie.',
  text_after_quote: () =>
    'Nach einem schließenden Anführungszeichen steht Text. Schreiben Sie es in einem Text doppelt.',
  // JSON
  not_json: () => 'Das ist kein JSON.',
  json_incomplete: () => 'Die Datei endet mitten in der Liste.',
  json_of_no_records: () => 'Eine JSON-Datei muss eine Liste von Datensätzen enthalten.',
  json_value_missing: () => 'Ein Wert fehlt.',
  json_without_array: ({ array }) =>
    `Diese Datei hat keine Liste ${array === undefined ? 'von Datensätzen' : `„${array}“`}. Exportieren Sie die Zeilen als Liste von Objekten oder als CSV.`,
  text_after_array: () => 'Nach dem Ende der Liste steht Text.',
  record_too_deep: ({ levels }) => `Dieser Datensatz ist tiefer als ${n(levels)} Ebenen geschachtelt.`,
  record_too_long: () => 'Dieser Datensatz ist länger als 1 MiB.',
  list_beside: () => 'sie ist eine andere Liste der Datei; übertragen Sie sie aus einer eigenen Datei',
  list_beside_in_items: () => 'sie ist eine andere Liste jedes Eintrags; übertragen Sie sie aus einer eigenen Datei',
  // Workbooks
  file_of_old_excel: ({ path }) =>
    `${path} ist von Excel vor 2007 oder hat ein Passwort. Speichern Sie sie als .xlsx oder CSV, ohne Passwort.`,
  file_is_binary_workbook: ({ path }) =>
    `${path} ist eine binäre Arbeitsmappe (.xlsb). Speichern Sie sie als .xlsx oder CSV.`,
  file_is_open_document: ({ path }) =>
    `${path} ist eine OpenDocument-Datei (.ods). Speichern Sie sie als .xlsx oder CSV.`,
  file_is_archive: ({ path, first, files }) =>
    `${path} ist ein Archiv mit ${first === undefined ? 'nichts darin' : `„${first}“`}${files > 1 ? ` und ${n(files - 1)} weiteren Dateien` : ''}, aber keine Arbeitsmappe (.xlsx). Entpacken Sie es, und übertragen Sie die Dateien darin.`,
  workbook_damaged: ({ path, problem }, sayAlso) =>
    `${path} ist beschädigt oder unvollständig (${typeof problem === 'string' ? problem : sayAlso(problem)}). Speichern oder laden Sie die Datei noch einmal.`,
  archive_directory_damaged: () => 'ihr Verzeichnis ist beschädigt',
  archive_end_damaged: () => 'ihr Ende ist beschädigt',
  archive_without_end: () => 'ihr Ende fehlt',
  part_cut_off: () => 'ein Teil ist abgeschnitten',
  part_encrypted: () => 'ein Teil ist verschlüsselt',
  part_larger_than_said: () => 'ein Teil ist entpackt größer als angegeben',
  part_misplaced: () => 'ein Teil ist nicht, wo er hingehört',
  part_packed_otherwise: ({ method }) => `ein Teil ist mit Verfahren ${method} gepackt`,
  workbook_unreadable: ({ path, problem }, sayAlso) =>
    `${path} lässt sich nicht lesen: ${sayAlso(problem)}. Speichern Sie das Blatt als CSV.`,
  part_of_long_text: () => 'ein Text oder eine Auszeichnung darin ist länger als 4 MiB',
  part_of_many_tags: ({ part }) => `der Teil ${part} hat zu viele Auszeichnungen`,
  part_too_deep: ({ most }) => `ein Teil davon ist tiefer als ${n(most)} Ebenen geschachtelt`,
  part_too_large: ({ part, mebibytes }) => `der Teil ${part} wäre entpackt ${n(mebibytes)} MiB groß`,
  shared_text_too_long: () => 'ein Text darin ist länger als 1 MiB',
  shared_texts_empty: () => 'zu viele der Texte darin sind leer',
  workbook_not_xml: ({ path, problem }) =>
    `${path} ist beschädigt: Ein Teil davon ist kein XML (${problem}). Speichern Sie die Datei noch einmal.`,
  workbook_of_document_type: ({ path }) =>
    `${path} lässt sich nicht lesen: Ein Teil davon legt einen Dokumenttyp fest.`,
  workbook_of_many_parts: ({ path, most }) => `${path} hat mehr als ${n(most)} Teile.`,
  workbook_of_many_sheets: ({ path, most }) =>
    `${path} hat mehr als ${n(most)} Blätter. Teilen Sie die Datei in mehrere Arbeitsmappen.`,
  workbook_part_missing: ({ path }) =>
    `${path} ist beschädigt: Ein Teil davon fehlt. Speichern Sie die Datei noch einmal.`,
  workbook_without_sheets: ({ path }) => `${path} hat keine Blätter.`,
  sheet_named_twice: ({ path, sheet }) =>
    `${path} ist beschädigt: Das Blatt „${sheet}“ kommt zweimal vor. Speichern Sie sie noch einmal.`,
  sheet_in_other_file: ({ path, sheet }) =>
    `${path} lässt sich nicht lesen: Das Blatt „${sheet}“ steht in einer anderen Datei. Speichern Sie es als CSV.`,
  sheet_unknown: ({ path, sheet, sheets }) => {
    const more = sheets.length > 10 ? ` und ${n(sheets.length - 10)} weitere` : '';
    const names = sheets.slice(0, 10).map((name) => `„${name}“`);
    return `${path} hat kein Blatt „${sheet}“. Die Blätter sind ${names.join(', ')}${more}.`;
  },
  sheet_missing: () => 'Das Blatt fehlt in der Datei. Speichern Sie sie noch einmal.',
  row_misnumbered: ({ number, most }) =>
    `Die nächste Zeile hat die Nummer ${number}: Zeilen zählen aufwärts, bis ${n(most)}. Die Datei ist beschädigt; speichern Sie sie noch einmal.`,
  cell_misplaced: ({ cell }) =>
    `Die Zelle ${cell} ist nicht, wo sie hingehört. Die Datei ist beschädigt; speichern Sie sie noch einmal.`,
  cell_text_missing: () => 'Der Text dieser Zelle fehlt in der Datei. Speichern Sie sie noch einmal.',
  table_nearly_empty: () => 'Bis hierher sind fast alle Zellen leer. Löschen Sie die Werte weit rechts.',
  value_beyond_table: ({ columns }) =>
    `Hinter der letzten Spalte (${n(columns)}) steht ein Wert. Löschen Sie ihn, oder geben Sie seiner Spalte eine Überschrift.`,
  other_sheet_chosen: () => 'ein anderes Blatt ist gewählt',
  sheet_empty: () => 'es ist leer',
  sheet_hidden: () => 'es ist ausgeblendet',
  sheet_of_other_header: () => 'es hat andere Überschriften',
  ...DE_KINDS,
  // Runs
  set_without_rows: ({ name }) => `${name} enthält keine Zeilen, die übertragen werden.`,
  orders_contradict: ({ column, swapped, either }) =>
    `Nichts wird übertragen: In „${column}“ steht bei manchen Daten der Tag vorn, bei anderen der Monat. Zeile ${swapped} hat nicht die gewählte Reihenfolge, Zeile ${either} kann beide haben.`,
  file_changed_meanwhile: ({ path }) => `${path} wurde geändert, während die Datei übertragen wurde.`,
  run_reverted: ({ run_id }) =>
    `Die Übertragung ${run_id} wurde zurückgenommen: Nichts davon ist mehr auf der Plattform.`,
  run_cancelled: ({ run_id }) =>
    `Die Übertragung ${run_id} wurde abgebrochen. Was übertragen ist, bleibt, bis Sie es zurücknehmen.`,
  run_imports_missing: ({ run_id, missing }) =>
    `Der Liste der Übertragung ${run_id} fehlen noch Teile: ${n(missing)}. Übertragen Sie die Dateien noch einmal: Nichts wird doppelt gespeichert.`,
  run_of_other_name: ({ run_id }) => `Diese Übertragung läuft noch als ${run_id}.`,
  // Matches
  columns_refused: ({ path, line, problem, columns }, sayAlso) =>
    `${path}, Zeile ${n(line)}: ${sayAlso(problem)} ${columnsAre(columns)}`,
  members_refused: ({ path, problem }, sayAlso) => `${path}: ${sayAlso(problem)}`,
  no_column_for: ({ field }) => `Keine Spalte für ${field} wurde erkannt.`,
  no_column_of_courses: () => 'Keine Spalte der Kurse wurde erkannt.',
  no_column_of_people: () => 'Keine Spalte der Personen wurde erkannt.',
  no_such_column: ({ column }) => `Eine Spalte „${column}“ gibt es nicht.`,
  too_many_courses: ({ path, most }) => `${path} nennt mehr als ${n(most)} Kurse.`,
  // Tables and their shapes
  no_file_named: () => 'Nennen Sie eine Datei.',
  file_of_other_columns: ({ path, first, columns }) =>
    `${path} hat andere Spalten als ${first}: Jede braucht eigene Entscheidungen. ${columnsAre(columns)}`,
  file_without_header: ({ path, line, address }) =>
    `${path} hat keine Überschriften: In Zeile ${line} steht die Adresse ${address}. Schreiben Sie darüber eine Zeile der Spaltennamen, etwa E-Mail, Kurs, Status, Abgeschlossen am.`,
  file_without_objects: ({ path }) =>
    `${path} hat keine Liste von Objekten. Exportieren Sie die Zeilen als Liste von Objekten oder als CSV.`,
  records_need_no_mapping: ({ path }) =>
    `${path} enthält Datensätze in der Form der Schnittstelle: Zu entscheiden ist nichts.`,
  courses_side_by_side: () => 'Jede Zeile hat mehrere Kurse nebeneinander.',
  columns_are: ({ what, count, like, cells }) =>
    `${count} Spalten wie „${like}“ werden als ${what === 'courses' ? 'Kurse' : 'Personen'} gelesen, ihre Zellen als ${CELLS[cells]}.${AFTER[cells] ?? ''}`,
  columns_are_no_courses: ({ columns }) => `Nicht als Kurse gelesen: ${columns.join(', ')}.`,
  empty_cells_have_text_above: ({ columns }) =>
    `Eine leere Zelle in ${columns.map((name) => `„${name}“`).join(' und ')} hat den Text der Zeile darüber.`,
  headings_are_a_column: ({ column }) =>
    `Zeilen mit Text nur in der ersten Zelle sind Überschriften; die Zeilen darunter haben sie als „${column}“.`,
  headings_name: ({ what }) =>
    `Zeilen mit Text nur in der ersten Zelle nennen ${what === 'course' ? 'den Kurs' : 'die Person'} der Zeilen darunter.`,
  items_of_list_are_rows: ({ list }) => `Jeder Eintrag von „${list}“ ist eine Zeile.`,
  sheets_name: ({ what, names }) => {
    const some = names.slice(0, 5).map((name) => `„${name}“`);
    const more = names.length > 5 ? [`${names.length - 5} weitere`] : [];
    return `Die Zeilen nennen ihre ${what === 'courses' ? 'Kurse' : 'Personen'} nicht: Das sind die Namen der Blätter oder Listen, ${[...some, ...more].join(', ')}.`;
  },
  // Evidence
  evidence_malformed: ({ part }) =>
    `Das ist kein Nachweis einer Übertragung: ${EVIDENCE_PARTS[part]} ist nicht wie unterschrieben.`,
  evidence_unknown_key: ({ kid }) =>
    `Der Schlüssel ${kid} ist nicht unter den gegebenen: Wer unterschrieben hat, ist nicht bekannt. Holen Sie die Schlüssel des Dienstes noch einmal.`,
  evidence_key_misnamed: ({ kid }) =>
    `Der Schlüssel ${kid} hat einen anderen Fingerabdruck (RFC 7638). Holen Sie die Schlüssel des Dienstes selbst.`,
  evidence_forged: ({ kid }) =>
    `Die Unterschrift passt nicht: Der Nachweis wurde geändert, oder ein anderer Schlüssel hat als ${kid} unterschrieben.`,
  evidence_signed: ({ kid, iss, at }) => `Der Schlüssel ${kid} von ${iss} hat am ${at} unterschrieben.`,
  evidence_no_keys: () =>
    'Kein Schlüssel kam auf einem anderen Weg als der Nachweis. Jeder könnte ihn unterschrieben haben; unten steht nur, ob diese Dateien zueinander passen.',
  evidence_no_list: () => 'Die Liste der Teile fehlt: Weder sie noch die Ergebnisse wurden geprüft.',
  evidence_imports_hold: ({ count }) => `Die Liste der Teile ist die unterschriebene; sie hat ${count}.`,
  evidence_imports_differ: () =>
    'Die Liste der Teile ist nicht die unterschriebene: Ein Teil fehlt, ist anders, neu oder verschoben.',
  evidence_imports_fewer: ({ count, signed }) =>
    `Von ${signed} unterschriebenen Teilen hat die Liste ${count}: Einige fehlen.`,
  evidence_imports_added: ({ count }) =>
    `Nach der Unterschrift kamen Teile dazu: ${count}. Von ihnen sagt der Nachweis nichts.`,
  evidence_import_reverted: ({ import_id, at }) =>
    `Teil ${import_id} wurde nach der Unterschrift zurückgenommen, am ${at}. Es zählt nicht mehr.`,
  evidence_import_erased: ({ import_id }) => `Aus Teil ${import_id} wurde nach der Unterschrift eine Person gelöscht.`,
  evidence_counts_hold: () => 'Die Zahlen sind die Summen der Zahlen der Teile.',
  evidence_counts_differ: ({ member, sum, signed = '–' }) =>
    `Die unterschriebenen Zahlen sind nicht die Summen der Teile: ${member} ist ${signed}, die Summe ist ${sum}.`,
  evidence_no_results: () => 'Die Ergebnisse fehlen und wurden nicht geprüft.',
  evidence_results_hold: ({ count }) => `Die Ergebnisse sind die unterschriebenen, Teil für Teil: ${count}.`,
  evidence_results_differ: ({ import_id, place }) =>
    `Teil ${import_id}: Die Ergebnisse (${placeOf(place)}) sind nicht die unterschriebenen.`,
  evidence_results_erased: ({ import_id, place }) =>
    `Teil ${import_id}: Die Ergebnisse (${placeOf(place)}) passen nicht mehr: Seither wurde eine Person daraus gelöscht. Mehr ist nicht zu sehen.`,
  evidence_results_counted: ({ import_id, place, count, signed }) =>
    `Teil ${import_id}: ${count} der ${signed} Ergebnisse sind da (${placeOf(place)}).`,
  evidence_results_moved: ({ import_id, place, index, expected }) =>
    `Teil ${import_id}: ${placeOf(place)} hat die Nummer ${index}, wo ${expected} folgt: Eine Zeile fehlt, ist doppelt oder verschoben.`,
  evidence_results_unknown: ({ import_id, place }) =>
    `${placeOf(place)} gehört zu Teil ${import_id}, der in der Liste fehlt oder später kommt.`,
  evidence_results_unreadable: ({ place }) => `${placeOf(place)} ist kein Ergebnis eines Teils.`,
  evidence_no_digest: ({ import_id }) =>
    `Teil ${import_id} endete, bevor dieser Dienst Prüfsummen machte; seine Ergebnisse lassen sich nicht prüfen.`,
  evidence_no_records: () => 'Die gesendeten Datensätze fehlen und wurden nicht geprüft.',
  evidence_records_hold: ({ count }) => `Die Datensätze sind die unterschriebenen, Teil für Teil: ${count}.`,
  evidence_records_differ: ({ import_id, place }) =>
    `Teil ${import_id}: Die Datensätze (${placeOf(place)}) sind nicht die unterschriebenen.`,
  evidence_records_erased: ({ import_id, place }) =>
    `Teil ${import_id}: Die Datensätze (${placeOf(place)}) passen nicht mehr: Seither wurde eine Person daraus gelöscht. Mehr ist nicht zu sehen.`,
  evidence_records_lacking: ({ import_id, place }) =>
    `Teil ${import_id}: ${placeOf(place)} hat keinen Datensatz, andere haben einen.`,
  limit_of_service: () =>
    'Er zeigt, was der Dienst bekommen, getan und unterschrieben hat, nicht, ob der Export wahr oder vollständig war.',
  limit_of_statement: () => 'Die Erklärung hat der Dienst nicht geprüft. Vergleichen Sie die SHA-256 Ihrer Dateien.',
  limit_of_day: () =>
    'Er zeigt den Stand seines Tages. Was seither zurückgenommen oder gelöscht wurde, steht in einer Liste von heute.',
  limit_of_key: () =>
    'Wer den Schlüssel hat, kann alles unterschreiben. Holen Sie die Schlüssel des Dienstes selbst, um sicher zu sein.',
  files_without_evidence: ({ names }) =>
    `In ${names.join(', ')} ist kein Nachweis: weder ein kompaktes JWS noch ein JSON-Objekt mit „evidence“.`,
  file_without_keys: ({ path }) =>
    `${path} ist keine Datei mit Schlüsseln allein. Speichern Sie unverändert, was der Dienst unter /api/v1/auth/.well-known/evidence-jwks.json gibt.`,
};
