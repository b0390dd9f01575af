/** A run as a notice names it, with more members than a mail may show. */
export const noticedRun = {
  company_id: 'acme',
  run_id: 'history/2026',
  title: 'History 2026',
  notify: [1, 2, 7],
  language: 'en' as string | null,
  counts: { imports: 3, total: 1234, processed: 1234, succeeded: 1214, failed: 20, with_warnings: 7 },
  plan: {
    status: 'waiting',
    comment: 'as agreed with Ann',
    counts: {
      imports: 3,
      total: 1234,
      applied: 1200,
      updated: 10,
      unchanged: 4,
      failed: 20,
      archived: 0,
      with_warnings: 7,
    },
  },
};
