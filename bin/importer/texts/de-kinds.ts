/** What the engine says of mappings, rows and kinds of rows, in German. */
import { ownValue } from '../engine/ground/own-value.ts';
import type { Texts } from './texts.ts';

/** `a, b und c`. */
const listed = (names: readonly string[], last: string): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;

const shownValues = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, text]) => `${name} = ${text}`)
    .join(', ');

/** More names of one address are not read. */
const MOST_NAMES = 5;

/** `neben 2 Namen: Ann Smith; Ben Castillo`. */
const besideNames = (names: readonly string[]): string =>
  `neben ${names.length > MOST_NAMES ? `mehr als ${MOST_NAMES}` : names.length} Namen: ${names.slice(0, MOST_NAMES).join('; ')}`;

/** What a mapping may leave undecided. */
const TOPICS: Readonly<Record<string, string>> = {
  learner: 'Person',
  course: 'Kurs',
  dates: 'Datum',
  columns: 'Spalten',
};

export const DE_KINDS = {
  // The mapping
  mapping_not_json: ({ path, problem }) => `Die Entscheidungen in ${path} sind kein JSON: ${problem}`,
  mapping_invalid: ({ path, problems }, sayAlso) =>
    [
      `Die Entscheidungen in ${path} sind nicht gültig:`,
      ...problems.map(({ at, is }) => `  ${at}: ${sayAlso(is)}`),
    ].join('\n'),
  value_unexpected: ({ expected, received }) => `erwartet: ${expected}, angegeben: ${received}`,
  no_such_member: () => 'diese Angabe gibt es nicht',
  no_member_of_a_record: ({ members }) => `diese Angabe eines Datensatzes gibt es nicht; es gibt ${members.join(', ')}`,
  empty_text: () => 'darf nicht leer sein',
  name_without_colon: () => 'muss mit einem Doppelpunkt beginnen',
  no_block: () => 'muss einen Block haben',
  no_column: () => 'muss eine Spalte nennen',
  no_format: () => 'muss eine Schreibweise nennen',
  no_source: ({ members }) =>
    `muss der Name einer Spalte sein, eine Liste davon oder ein Objekt mit ${listed(members, 'oder')}`,
  no_text: () => 'muss einen Text nennen',
  not_positive: () => 'muss größer als 0 sein',
  not_one_of_members: ({ members }) => `muss genau eines haben von ${listed(members, 'und')}`,
  must_be_either: ({ values }) => `muss ${listed(values, 'oder')} sein`,
  must_be_one_of: ({ values }) => `muss ${listed(values, 'oder')} sein`,
  must_become_number: () => 'muss eine Zahl werden',
  must_become_one_of: ({ values }) => `muss ${listed(values, 'oder')} werden`,
  must_become_percentage: () => 'muss eine Zahl von 0 bis 100 werden',
  template_without_column: () => 'muss eine Spalte in geschweiften Klammern enthalten, etwa {E-Mail}',
  format_names_twice: ({ part }) => `nennt ${part} zweimal; setzen Sie bloßen Text in eckige Klammern, etwa [Uhr]`,
  format_of_no_day: () =>
    'muss iso, epoch, epoch_ms, epoch_us, epoch_ns, excel oder excel_1904 sein oder eine Schreibweise mit Jahr, Monat und Tag, etwa DD/MM/YYYY',
  language_unknown: () => 'muss eine Sprache sein, etwa de oder pt-BR',
  offset_unknown: () => 'muss ein Zeitabstand sein, etwa +01:00',
  time_zone_unknown: () => 'muss eine Zeitzone der IANA sein, etwa Europe/Berlin',
  constant_beside_others: () => 'neben constant wirkt nichts anderes',
  dates_of_no_date: () => 'dates wirkt nur bei Daten',
  earliest_of_no_date: () => 'earliest und latest wirken nur bei Daten',
  otherwise_without_values: () => 'otherwise wirkt nicht ohne values',
  pick_without_groups: () => 'pick wirkt nur mit group_by',
  scale_beside_out_of: () => 'nur eines von scale und out_of kann gelten',
  scale_of_no_number: () => 'scale und out_of wirken nur bei Zahlen',
  values_empty: () => 'values ist leer',
  values_of_empty_cell: () => 'für leere Zellen gilt if_empty, nicht values',
  without_effect_with: ({ member, outcome }) => `${member} wirkt nicht mit ${outcome}`,
  without_effect_with_json: ({ members }) => `mit json wirken ${listed(members, 'und')} nicht`,
  kinds_missing: () => 'fehlt',
  said_by_kinds: () => 'was aus einer Zeile wird, sagt „kinds“, das eine Person bestätigt',
  kind_of_other_column: ({ column, columns }) =>
    `„${column}“ ist keine Spalte des Stands; kinds.columns hat ${columns.join(', ') || 'keine'}`,
  kind_without_column: ({ column }) => `values sagt nichts über „${column}“, eine Spalte des Stands`,
  kind_without_date: ({ day }) => `date muss eine Spalte nennen oder „${day}“ sein`,
  kind_date_is: ({ column, is }) => `date: „${column}“ ist in diesen Zeilen „${is}“`,
  kind_date_unknown: ({ column }) => `date: „${column}“ ist keine Spalte mit Daten in kinds.columns oder kinds.dates`,
  kind_percent_is: ({ column, is, outcome }) =>
    `percent: „${column}“ ist in diesen Zeilen „${is}“, was ${outcome} widerspricht`,
  kind_percent_unknown: ({ column }) => `percent: „${column}“ ist keine Spalte mit Prozentzahlen in kinds.columns`,
  // Rows
  file_changed: ({ path }) => `${path} wurde seit der Übertragung geändert.`,
  at_line: ({ line }) => `Zeile ${line}`,
  at_line_of_sheet: ({ sheet, line }) => `Blatt „${sheet}“, Zeile ${line}`,
  record_repeated: ({ id, file, line }) =>
    `Die Nummer „${id}“ hat schon der Datensatz in ${file}, Zeile ${line}; nur dieser wird übertragen`,
  row_incomplete: ({ what, column }) => {
    const named = what === 'learner' ? 'die Person' : 'den Kurs';
    const problem =
      column === undefined
        ? `Die Zeile nennt ${named} nicht`
        : `„${column}“ ist in dieser Zeile leer und nennt ${named}`;
    return `${problem}. Füllen Sie das aus, und übertragen Sie die Zeile noch einmal. Ist sie ein Titel oder eine Summe, löschen Sie sie.`;
  },
  kind_undecided: ({ values, odd }) => {
    const cells = odd.map(
      ({ cell, column, wanted }) =>
        `„${cell}“ in der Spalte „${column}“ ist ${wanted === 'date' ? 'kein Datum' : 'keine Prozentzahl'}`,
    );
    const rows = Object.keys(values).length === 0 ? 'den Zeilen' : `einer Zeile mit ${shownValues(values)}`;
    return `${[...cells, `niemand hat bestätigt, was aus ${rows} wird`].join('; ')}.`;
  },
  kind_date_missing: ({ values, column, is }) =>
    `Zeilen mit ${shownValues(values)} haben ihr Datum aus „${column}“, was in dieser Zeile „${is}“ ist. Korrigieren Sie die Zelle.`,
  kind_date_in_future: ({ values, column, date }) =>
    `Zeilen mit ${shownValues(values)} haben ihr Datum aus „${column}“, was in dieser Zeile in der Zukunft liegt (${date}). Korrigieren Sie die Zelle.`,
  address_undecided: ({ address, names }) =>
    `niemand hat gesagt, wessen die Zeilen von ${address} sind, ${besideNames(names)}.`,
  pair_undecided: ({ line, file }) =>
    `Zeilen einer Person in einem Kurs werden zusammen entschieden, und niemand hat bestätigt, was aus Zeile ${line}${file === undefined ? '' : ` von ${file}`} wird.`,
  value_unnamed: ({ value, column }) => `keine Regel nennt „${value}“ in der Spalte „${column}“`,
  value_unreadable: ({ value, column, expected }, sayAlso) =>
    `„${value}“ in der Spalte „${column}“ ist nicht ${sayAlso(expected)}`,
  a_date: ({ formats }) => `ein Datum wie ${formats.join(' oder ')}`,
  a_number: ({ decimal }) => `eine Zahl (mit ${decimal === ',' ? 'Komma' : 'Punkt'})`,
  a_whole_number: () => 'eine ganze Zahl',
  one_of: ({ values }) => listed(values, 'oder'),

  // Kinds
  own_reason: ({ text }) => text,
  proposed_by: ({ by, text }) => `${by} schlägt es vor: ${text}`,
  day_below_the_course: () => 'das Datum gilt als Tag des Abschlusses, nicht des Ablaufs',
  item_is_no_course: ({ column, text }) => `andere Zeilen dieses Namens sind Kurse, ${column} = ${text} ist keiner`,
  attended_is_no_completion: ({ column, text }) => `${column} = ${text} sagt, wer da war, nicht wer abgeschlossen hat`,
  certificate_on_no_day: ({ column }) => `${column} sagt, wer ein Zertifikat hat, und nichts sagt, seit wann`,
  word_unknown: ({ column, text }) => `was ${column} = ${text} bedeutet, ist hier nicht bekannt`,
  cell_is_no_date: () => 'eine Zelle ist kein Datum: Korrigieren Sie sie, oder lassen Sie die Zeilen aus',
  cell_is_no_percentage: () => 'eine Zelle ist kein Prozentwert: Korrigieren Sie sie, oder lassen Sie die Zeilen aus',
  ended_without_completion: ({ column, text }) => `kein Abschluss: „${column}“ ist „${text}“`,
  ended_beside_more: ({ column, text }) => `„${column}“ ist „${text}“: Sie entscheiden, ob die Zeile zählt`,
  row_taken_back: ({ column, text }) => `${column} = ${text} nimmt die Zeile zurück`,
  one_result_is_missing: ({ column }) => `${column} ist leer, wo andere Zeilen ein Ergebnis haben`,
  day_beside_not_done: ({ column, text }) => `${column} = ${text} sagt nicht abgeschlossen, aber es gibt ein Datum`,
  result_says_no_pass: ({ column, text }) => `eine andere Spalte sagt bestanden, ${column} = ${text} nicht`,
  percentages_contradict: () => 'die Prozentwerte widersprechen einander oder sind über 100',
  passed_and_failed: () => 'bestanden und nicht bestanden widersprechen einander',
  failed_on_a_day: () => 'die Wörter sagen nicht bestanden',
  failed_on_several_days: () => 'mehrere Daten können der Tag sein',
  file_without_days: () => 'kein Tag in der Datei: der Tag des Imports wird gespeichert',
  failed_without_a_day: () => 'es gibt kein Datum, an dem nicht bestanden wurde',
  done_and_not_done: () => 'eine Spalte sagt abgeschlossen, eine andere nicht',
  done_below_the_whole: () => 'die Wörter sagen abgeschlossen, der Prozentwert nicht',
  passed_on_the_last_activity: () => 'die Wörter sagen bestanden, und die letzte Aktivität ist das einzige Datum',
  words_say_passed: () => 'die Wörter sagen bestanden',
  completed_on_the_last_activity: () =>
    'die Wörter sagen abgeschlossen, und die letzte Aktivität ist das einzige Datum',
  words_say_completed: () => 'die Wörter sagen abgeschlossen',
  done_on_several_days: () => 'mehrere Daten können der Tag sein',
  done_without_a_day: () => 'es gibt kein Datum des Abschlusses',
  not_done_with_a_day: () => 'die Wörter sagen nicht abgeschlossen, aber es gibt ein Datum',
  not_done_with_the_whole: () => 'die Wörter sagen nicht abgeschlossen, der Prozentwert sagt 100',
  several_percentages: () => 'von mehreren Prozentwerten ist keiner als der des Kurses bekannt',
  words_say_in_progress: () => 'die Wörter sagen in Bearbeitung',
  begun_and_not_done: () => 'es gibt einen Tag des Beginns oder einer Aktivität, keinen des Abschlusses',
  not_done_maybe_begun: () => 'die Wörter sagen nicht abgeschlossen, und nicht, ob begonnen wurde',
  not_passed_on_no_day: () => 'kein Abschluss: nicht bestanden, und kein Tag einer Prüfung',
  attended_once: ({ text }) => `„${text}“ gilt als Abschluss: niemand kam zweimal in einen Kurs`,
  was_not_there: ({ column, text }) => `kein Abschluss: „${column}“ ist „${text}“`,
  words_say_not_started: () => 'nicht begonnen: Die Wörter sagen nicht begonnen oder nicht abgeschlossen',
  percentage_of_course_or_exam: () => 'der Prozentwert kann der des Kurses oder einer Prüfung sein',
  below_the_whole_with_a_day: () => 'es gibt ein Datum, aber weniger als 100 %',
  percentage_between: () => 'zwischen 0 und 100 %',
  the_whole_with_a_day: () => '100 %, mit einem Datum',
  the_whole_without_a_day: () => '100 %, und kein Datum des Abschlusses',
  zero_with_a_date: () => '0 %, und ein Datum, das etwas anderes bedeuten kann',
  date_of_something: () => 'ein Datum allein sagt nicht, wofür es steht',
  day_of_a_certificate: () => 'es gibt das Datum eines Zertifikats',
  completion_below_the_course: () => 'das Datum gilt als Tag des Abschlusses, nicht des Ablaufs',
  day_of_completion: () => 'es gibt ein Datum des Abschlusses',
  all_activities_done: () => 'alle Aktivitäten sind erledigt, keine Spalte sagt es vom Kurs',
  some_activities_done: () => 'einige Aktivitäten sind erledigt, der Kurs nicht',
  no_activity_done: () => 'keine Aktivität ist erledigt',
  nothing_says_how_far: () => 'keine Spalte sagt, wie weit jemand ist',
  not_done_where_all_began: () => 'jede Zeile hat einen Tag des Beginns, und diese keinen des Abschlusses',
  neither_progress_nor_day: () => 'nicht abgeschlossen: weder Fortschritt noch ein Tag des Abschlusses',
  known_of_system: ({ name }) => `so bei ${name['de'] ?? name['en'] ?? ''}`,
  system_knows_no_such_row: ({ name }) => `${name['de'] ?? name['en'] ?? ''}: solche Zeilen sind nicht bekannt`,
  statement_takes_another_back: () => 'die Aussage nimmt eine andere zurück',
  statements_taken_back_unnamed: () => 'Aussagen der Datei nehmen andere zurück und sagen nicht, welche',
  done_on_its_day: ({ column }) => `„${column}“ ist der Tag des Kurses: bestätigen, wenn er da endet`,
  day_of_rows_in_progress: ({ column }) =>
    `auch Zeilen in Bearbeitung haben ein Datum von ${column}: Es kann ihr Beginn sein`,
  failed_on_no_day: () => 'kein Abschluss: nicht bestanden, und kein Tag einer Prüfung',
  no_completion: () => 'kein Abschluss: weder ein Tag noch 100 % noch ein Wort davon',
  days_to_come: ({ column, dates, future }) =>
    `von ${dates} Daten von ${column} liegen ${future} in der Zukunft: Sie können Tage des Ablaufs sein`,

  // Whether a column says what becomes of a row
  column_put_out: () => 'sie wurde ausgeschlossen',
  names_whose_row_it_is: () => 'sie sagt, wessen Zeile es ist',
  whole_of_a_part: () => 'sie ist das Ganze eines Teils daneben',
  pass_mark_of_a_score: () => 'sie ist die Bestehensgrenze der Punkte daneben',
  code_beside_its_text: () => 'eine andere Spalte sagt dasselbe in Worten',
  state_of_a_country: () => 'sie nennt ein Bundesland: Eine andere Spalte ist der Status',
  percentage_beside_progress: () => 'sie kann von einer Prüfung sein: Eine andere Spalte ist der Fortschritt',
  part_of_a_whole: () => 'sie zählt einen Teil des Ganzen daneben',
  score_with_a_pass_mark: () => 'ihre Punkte haben eine Bestehensgrenze',
  column_brought_in: () => 'sie wurde hinzugenommen',
  header_over_empty_cells: () => 'ihr Name spricht von einem Status, ihre Zellen sind leer',
  words_of_a_state: () => 'ein Drittel ihrer Wörter sind Wörter eines Status',
  header_of_a_state: () => 'ihr Name spricht von einem Status',
  flag: () => 'ihre Werte sind ja und nein',
  code_of_a_state: () => 'ihre Werte sind Codes eines Status',
  word_that_stops_a_row: () => 'ein Wort sagt, dass eine Zeile nicht zählt',
  text_of_an_object: () => 'andere Spalten haben die Werte ihrer Objekte',
  how_long_it_took: () => 'sie sagt, wie lange etwas dauerte',
  number_of_tries: () => 'sie zählt Versuche oder begrenzt Punkte',
  about_people_or_courses: () => 'sie handelt von Personen oder Kursen',
  differs_in_every_row: () => 'jede Zeile hat einen eigenen Text',
  same_in_every_row: () => 'jede Zeile sagt dasselbe',
  free_text_of_a_state: () => 'sie spricht von einem Status in zu vielen Texten',
  many_different_texts: () => 'sie hat zu viele verschiedene Texte',
  few_words_one_known: () => 'sie hat wenige Wörter, und eines ist das eines Status',
  few_unknown_words: () =>
    'sie hat wenige Wörter, und keines ist bekannt: Sie zählt, wenn sie sich mit einem Status ändert',
  words_of_no_state: () => 'ihre Wörter sind die keines Status',
  points_of_a_score: () => 'ihre Anteile sind Punkte',
  column_of_percentages: () => 'sie hat Prozentwerte',
  day_of_an_outcome: () => 'sie hat den Tag eines Ergebnisses',
  day_of_a_start_or_an_activity: () => 'sie hat den Tag eines Beginns oder einer Aktivität',
  day_of_a_deletion: () => 'sie hat den Tag einer Löschung',
  day_of_completion_by_its_header: () => 'ihr Name spricht von einem Abschluss',
  day_of_something_else: () => 'ihr Tag schließt nichts ab',
  day_without_a_name: () => 'sie hat Tage, und kein Name sagt wovon',
  numbers_up_to_100: () => 'ihre Zahlen reichen bis 100: Sie zählen, wenn nur abgeschlossene Zeilen 100 haben',
  words_between_numbers: () =>
    'Wörter zwischen ihren Zahlen sagen „nicht abgeschlossen“, und nichts sonst sagt, wie weit jemand ist',
  types_of_items: () => 'sie hat Arten von Inhalten: Sie zählen, wenn sie sich in einem Kurs unterscheiden',
  types_of_anything: () => 'sie hat Arten, und nichts sonst sagt einen Status',
  day_of_start_tells: () =>
    'nur manche Zeilen haben einen Tag des Beginns oder einer Aktivität, und nichts sonst sagt, wer begonnen hat',
  name_of_a_state: () => 'die Namen der Blätter oder Abschnitte sind Wörter eines Status',
  names_in_words: () =>
    'die Namen der Blätter oder Abschnitte sind Wörter: Sie zählen, wenn sie sich mit einem Status ändern',
  same_for_one_learner_or_course: () => 'sie ist in allen Zeilen einer Person oder eines Kurses gleich',
  activity_of_the_course: () => 'eine andere Spalte sagt ebenso viel von derselben Aktivität',
  same_types_in_each_course: () => 'ihre Arten unterscheiden sich in keinem Kurs',
  varies_with_nothing: () => 'ihre Wörter ändern sich mit keinem Status',
  day_of_unfinished_rows_too: () => 'auch nicht abgeschlossene Zeilen haben den Tag, einen anderen nur abgeschlossene',
  result_of_finished_rows: () => 'die meisten abgeschlossenen Zeilen haben weniger als 100: ein Ergebnis oder ein Rest',
  too_many_kinds: () => 'mit ihr gibt es zu viele Fälle',
  tells_no_rows_apart: () => 'abgeschlossene Zeilen haben ihre Wörter so oft wie andere',
  unknown_words_add_nothing: () => 'ihre unbekannten Wörter unterscheiden keine Zeilen',

  column_of_system: () => 'die Beschreibung des Systems nennt sie',
  column_chosen: () => 'sie wurde gewählt',
  column_in_a_tie: ({ others }) => `auch ${others.join(', ')} kann gemeint sein`,
  column_known: ({ found, of }) => `die Plattform kennt ${found} von ${of} ihrer Texte`,
  column_by_its_form: () => 'ihr Name und die Form ihrer Texte sagen es',

  // What a person has to say of a file
  column_is_open: ({ what, column, others }) => {
    const names = others.map((other) => `„${other}“`).join(', ');
    const whom = what === 'learner' ? 'die Person' : 'den Kurs';
    if (column === null) return `Keine Spalte nennt ${whom}.${names === '' ? '' : ` Es kann ${names} sein.`}`;
    const why =
      what === 'course'
        ? 'einen Teil des Kurses nennen: Die Plattform kennt keinen ihrer Texte'
        : 'die Person nennen: Keine Überschrift sagt es';
    return names === '' ? `„${column}“ kann ${why}.` : `„${column}“ kann ${whom} nennen, ebenso ${names}.`;
  },
  dates_may_be_swapped: ({ column, text, formats }) =>
    `„${column}“: Bei „${text}“ kann der Tag oder der Monat vorn stehen (${formats.join(' oder ')}).`,
  dates_of_both_orders: ({ column, day, month, formats }) =>
    `„${column}“: In ${day} Daten kann nur der Tag vorn stehen, in ${month} nur der Monat (${formats.join(' oder ')}). Wählen Sie: Die anderen werden abgelehnt. Oder lassen Sie die Spalte aus.`,
  address_of_several: ({ address, names }) =>
    `${address} steht ${besideNames(names)}. Ist es die Adresse nur einer Person? Sonst werden ihre Zeilen ausgelassen.`,
  fractions_are_open: ({ column, samples }) =>
    `Keine Zahl in „${column}“ liegt über 1. Stimmt ${samples.map(({ text, percent }) => `${text} → ${percent} %`).join(', ')}? Sonst ist ${samples[0]?.text} ${samples[0]?.text} %.`,
  shape_is_open: ({ shape }, sayAlso) => `${shape.map(sayAlso).join(' ')} Ist das so?`,
  free_text_is_open: ({ column }) =>
    `„${column}“ hat zu viele verschiedene Texte für einen Status. Sagt sie, was aus einer Zeile wird?`,
  parts_are_open: ({ column }) =>
    `„${column}“ unterscheidet die Zeilen einer Person in einem Kurs, kann also Teile davon nennen. Ist jede Zeile der ganze Kurs?`,
  mapping_undecided: ({ path, open }) =>
    `Nichts wird übertragen: Für ${path} ist noch offen: ${open.map((each) => ownValue(TOPICS, each) ?? each).join(', ')}.`,
  no_kind_confirmed: ({ path }) =>
    `Nichts wird übertragen: Für ${path} ist nicht entschieden, was aus einer Zeile wird.`,
  proposals_unreadable: ({ by, at, problem }) =>
    `Die Vorschläge von ${by} sind nicht verwendbar${at === '' ? '' : `: ${at}`}: ${problem}. Nichts wurde übernommen.`,
  proposal_of_no_kind: ({ by, kind }) =>
    `${by} schlägt etwas für den Fall ${kind} vor, der in der Datei fehlt oder schon bestätigt ist. Nichts wurde übernommen.`,
  proposal_impossible: ({ by, values, outcome, column }) =>
    `${by} schlägt für die Zeilen mit ${shownValues(values)} ${outcome}${column === null ? '' : ` mit der Spalte „${column}“`} vor, was nicht möglich ist. Nichts wurde übernommen.`,
} satisfies Partial<Texts>;
