import type { ServerSettings } from './with-server-settings.js';

/** Settings of the connections of the API, beside the common ones. */
export const apiServerSettings: ServerSettings = {
  // A plan made while the tables are empty reads them whole, and it is kept while they grow (ADR 0007).
  enable_seqscan: 'off',
};
