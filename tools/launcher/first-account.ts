import type { ServiceConfig } from '../../src/config/config.js';
import type { FirstAccount } from './create-first-account.js';
import { connect } from './postgres-server.js';

const anyAccount = 'select 1 as found from account limit 1';

/**
 * Creates an account with an owner and a live key when the database has none, so that the first request
 * of a new user works.
 * @returns undefined when the database has an account
 */
export async function makeFirstAccount(config: ServiceConfig): Promise<FirstAccount | undefined> {
  const client = await connect(new URL(config.databaseUrl), 'signalpost-first-account');
  try {
    if ((await client.query(anyAccount)).rows.length > 0) return undefined;
  } finally {
    await client.end();
  }
  // Loaded only now: the domain is large, and only the first start needs it.
  const { createFirstAccount } = await import('./create-first-account.js');
  return createFirstAccount(config);
}
