/** What the rules say of a kind of rows, in German. */
import type { Texts } from './texts.ts';

/** More names of one address are not read. */
const MOST_NAMES = 5;

/** `neben 2 Namen: Ann Smith; Ben Castillo`. */
export const besideNames = (names: readonly string[]): string =>
  `neben ${names.length > MOST_NAMES ? `mehr als ${MOST_NAMES}` : names.length} Namen: ${names.slice(0, MOST_NAMES).join('; ')}`;

export const DE_KINDS = {
  own_reason: ({ text }) => text,
  day_below_the_course: () => 'das Datum gilt als Tag des Abschlusses, nicht des Ablaufs',
  item_is_no_course: ({ column, text }) => `andere Zeilen dieses Namens sind Kurse, ${column} = ${text} ist keiner`,
  word_unknown: ({ column, text }) => `was ${column} = ${text} über eine Zeile sagt, ist hier nicht bekannt`,
  cell_is_no_date: () => 'eine Zelle ist kein Datum: Korrigieren Sie sie, oder lassen Sie die Zeilen weg',
  cell_is_no_percentage: () => 'eine Zelle ist kein Prozentwert: Korrigieren Sie sie, oder lassen Sie die Zeilen weg',
  row_taken_back: () => 'die Zeile ist als zurückgenommen gekennzeichnet',
  one_result_is_missing: ({ column }) => `${column} ist leer, wo andere Zeilen bestanden oder nicht bestanden sind`,
  result_says_no_pass: ({ column, text }) => `eine andere Spalte sagt bestanden, ${column} = ${text} nicht`,
  percentages_contradict: () => 'die Prozentwerte widersprechen einander oder liegen über 100',
  passed_and_failed: () => 'bestanden und nicht bestanden widersprechen einander',
  failed_on_a_day: () => 'die Wörter sagen nicht bestanden',
  failed_on_several_days: () => 'mehrere Daten können der Tag sein',
  failed_without_a_day: () => 'es gibt kein Datum des Tages, an dem nicht bestanden wurde',
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
  begun_and_not_done: () => 'es gibt einen Tag des Beginns und keinen des Abschlusses',
  not_done_maybe_begun: () => 'die Wörter sagen nicht abgeschlossen, und nicht, ob begonnen wurde',
  words_say_not_started: () => 'nicht begonnen: Die Wörter sagen nicht begonnen oder nicht abgeschlossen',
  percentage_of_course_or_exam: () => 'nichts sagt, ob der Prozentwert der des Kurses oder der einer Prüfung ist',
  below_the_whole_with_a_day: () => 'es gibt ein Datum, aber weniger als 100 %',
  percentage_between: () => 'zwischen 0 und 100 %',
  the_whole_with_a_day: () => '100 %, mit einem Datum',
  the_whole_without_a_day: () => '100 %, und kein Datum des Abschlusses',
  zero_with_a_date: () => '0 %, und ein Datum, das etwas anderes bedeuten kann',
  date_of_something: () => 'ein Datum allein sagt nicht, wofür es steht',
  day_of_a_certificate: () => 'es gibt das Datum eines Zertifikats',
  completion_below_the_course: () => 'das Datum gilt als Tag des Abschlusses, nicht des Ablaufs',
  day_of_completion: () => 'es gibt ein Datum des Abschlusses',
  nothing_says_how_far: () => 'keine Spalte sagt, wie weit jemand ist',
  not_done_where_all_began: () => 'jede Zeile hat einen Tag des Beginns, und diese keinen des Abschlusses',
  neither_progress_nor_day: () => 'nicht abgeschlossen: weder Fortschritt noch ein Tag des Abschlusses',
  statement_takes_another_back: () => 'die Aussage nimmt eine andere zurück',
  statements_taken_back_unnamed: () => 'Aussagen der Datei nehmen andere zurück und sagen nicht, welche',
  day_of_rows_in_progress: ({ column }) =>
    `auch Zeilen in Bearbeitung haben ein Datum von ${column}: Es kann das ihres Beginns sein`,
  days_to_come: ({ column, dates, future }) =>
    `von ${dates} Daten von ${column} liegen ${future} in der Zukunft: Sie können Tage des Ablaufs sein`,

  // What a person has to say of a file
  column_is_open: ({ what, column, others }) => {
    const names = others.map((other) => `„${other}“`).join(', ');
    const whom = what === 'learner' ? 'die Person' : 'den Kurs';
    return column === null
      ? `Keine Spalte nennt ${whom}.${names === '' ? '' : ` Es kann ${names} sein.`}`
      : `„${column}“ kann ${whom} nennen, ebenso ${names}.`;
  },
  dates_may_be_swapped: ({ column, text, formats }) =>
    `„${column}“: Bei „${text}“ kann der Tag oder der Monat vorn stehen (${formats.join(' oder ')}).`,
  dates_of_both_orders: ({ column, day, month, formats }) =>
    `„${column}“: ${day} Daten können nur mit dem Tag beginnen, ${month} nur mit dem Monat (${formats.join(' oder ')}). Zeilen der anderen Reihenfolge werden abgelehnt, die übrigen gelesen, wie Sie wählen; oder lassen Sie die Spalte weg.`,
  address_of_several: ({ address, names }) =>
    `${address} steht ${besideNames(names)}. Ist es die Adresse einer einzigen Person? Sonst werden ihre Zeilen weggelassen.`,
  fractions_are_open: ({ column, samples }) =>
    `Keine Zahl in „${column}“ liegt über 1. Stimmt ${samples.map(({ text, percent }) => `${text} → ${percent} %`).join(', ')}? Sonst ist ${samples[0]?.text} ${samples[0]?.text} %.`,
  shape_is_open: ({ shape }) => `${shape} Ist das so?`,
  free_text_is_open: ({ column }) =>
    `„${column}“ hat zu viele verschiedene Texte für einen Status. Sagt die Spalte, was aus einer Zeile wird?`,
  parts_are_open: ({ column }) =>
    `„${column}“ unterscheidet die Zeilen einer Person in einem Kurs, kann also Teile des Kurses nennen. Ist jede Zeile der ganze Kurs?`,
} satisfies Partial<Texts>;
