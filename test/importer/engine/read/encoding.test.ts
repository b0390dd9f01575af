/** A few words are read in the encoding in which the lists of words know them. Milliseconds. */
import { expect, it } from 'vitest';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const LETTERS: Readonly<Record<string, readonly [letters: string, bytes: readonly number[]]>> = {
  'windows-1250': [
    'čČáéěířšťůúýžň',
    [0xe8, 0xc8, 0xe1, 0xe9, 0xec, 0xed, 0xf8, 0x9a, 0x9d, 0xf9, 0xfa, 0xfd, 0x9e, 0xf2],
  ],
  'windows-1252': [
    'éèÉçùñäßÿóíáð–’€',
    [0xe9, 0xe8, 0xc9, 0xe7, 0xf9, 0xf1, 0xe4, 0xdf, 0xff, 0xf3, 0xed, 0xe1, 0xf0, 0x96, 0x92, 0x80],
  ],
  'windows-1254': ['şığüöçİ', [0xfe, 0xfd, 0xf0, 0xfc, 0xf6, 0xe7, 0xdd]],
  macintosh: ['ñä', [0x96, 0x8a]],
};

function bytesOf(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const [letters = '', bytes = []] = LETTERS[encoding] ?? [];
  return Uint8Array.from(text.split(''), (letter) => bytes[letters.indexOf(letter)] ?? letter.charCodeAt(0));
}

it.each([
  ['windows-1250', 'E-mail;Kurz;Stav;Dokončeno dne\na@acme.test;A;Dokončeno;22.01.2024\nb@acme.test;A;Nezahájeno;\n'],
  ['windows-1250', 'Email;Jméno;Stav\na@acme.test;Černý Jiří;Dokončeno\n'],
  ['windows-1250', 'Email;Kurz;Stav\na@acme.test;A;Dokončeno\n'],
  ['windows-1254', 'E-posta;Kurs;Durum;Bitiş tarihi\na@acme.test;A;Tamamlandı;22.01.2024\nb@acme.test;A;Başlamadı;\n'],
  ['windows-1254', 'Email;Kurs;Durum\na@acme.test;Yangın;Tamamlandı\n'],
  ['windows-1252', 'Courriel;Cours;Statut\na@acme.test;Sécurité;Terminé\n'],
  ['windows-1252', 'Email;Name;Status\na@acme.test;Groß Jäger;Completed\n'],
  ['windows-1252', 'Email;Name;Status\na@acme.test;Hélène;Completed\n'],
  ['windows-1252', 'Email;Corso;Stato\na@acme.test;BLSD – Rianimazione;Completato\n'],
  ['windows-1252', 'Email;Corso;Stato\na@acme.test;Uso dell’estintore;Completato\n'],
  ['windows-1252', 'Email;Corso;Costo\na@acme.test;Antincendio;100 €\n'],
  ['macintosh', 'Email;Nombre;Estado\na@acme.test;Muñoz;Completado\n'],
  ['macintosh', 'Email;Name;Status\na@acme.test;Gefährdung;Completed\n'],
])('%s: %s', async (encoding, text) => {
  const source = await openSource(new File([bytesOf(text, encoding)], 'a.csv'));
  expect(source.encoding).toBe(encoding);
});
