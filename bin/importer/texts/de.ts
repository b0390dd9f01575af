/** The codes of the engine in German. */
import type { Texts } from './texts.ts';

export const DE: Texts = {
  // Files
  file_without_rows: ({ path }) =>
    `${path} enthält keine Zeilen. Exportieren Sie die Datei noch einmal über den ganzen Zeitraum und ohne Filter, oder lassen Sie sie weg.`,
};
