import type { ServerSettings } from './with-server-settings.js';

/** Settings of the API's connections, in addition to the common ones. */
export const apiServerSettings: ServerSettings = {
  // A plan made while the tables are empty reads them whole, and PostgreSQL keeps it while they
  // grow (ADR 0007).
  enable_seqscan: 'off',
  // A page reads at most 10,000 records, in the order of an index. A bitmap would find all that match,
  // to sort them: 2 s instead of 6 ms among 10 million records (ADR 0031).
  enable_bitmapscan: 'off',
};

/** PostgreSQL cancels a statement of the API after this time. Less than the timeout of a request, even with the time that pg adds. */
export const apiStatementTimeoutMs = 7_000;

/** Settings of the role of a pooler's connections, which take none of their own (ADR 0044). */
export const pooledServerSettings: ServerSettings = {
  jit: 'off',
  ...apiServerSettings,
  statement_timeout: String(apiStatementTimeoutMs),
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '15000',
};
