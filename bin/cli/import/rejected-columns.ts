/** What is added to a rejected row, and taken no notice of when it is imported again. */
export const ADDED_COLUMNS: readonly string[] = ['error_codes', 'error_messages'];
