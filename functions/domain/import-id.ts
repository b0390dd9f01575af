/** Import ids are 26 lower-case letters and digits; nothing else may reach a storage key. */
export function isImportId(text: string): boolean {
  return /^[a-z0-9]{26}$/.test(text);
}
