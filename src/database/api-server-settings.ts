import type { ServerSettings } from './with-server-settings.js';

/** Settings of the API's connections, in addition to the common ones. */
export const apiServerSettings: ServerSettings = {
  // A plan made while the tables are empty reads them whole, and PostgreSQL keeps it while they
  // grow (ADR 0007).
  enable_seqscan: 'off',
};
