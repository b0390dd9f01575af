const COMPANY_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether the value can name a company: 1–64 of `A-Z a-z 0-9 _ -`, and so nothing that could break out of a storage key. */
export function isCompanyId(value: unknown): value is string {
  return typeof value === 'string' && COMPANY_ID.test(value);
}
