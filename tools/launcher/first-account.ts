import type { ServiceConfig } from '../../src/config/config.js';
import type { FirstAccount } from './create-first-account.js';
import { connect } from './postgres-connection.js';

const anyAccount = 'select 1 as found from account limit 1';

/**
 * Makes an account with an owner and a live key where there is no account yet, so that a newcomer's
 * first request works.
 * @returns undefined when there are accounts already
 */
export async function makeFirstAccount(config: ServiceConfig): Promise<FirstAccount | undefined> {
  const client = await connect(new URL(config.databaseUrl), 'signalpost-first-account');
  try {
    if ((await client.query(anyAccount)).rows.length > 0) return undefined;
  } finally {
    await client.end();
  }
  // The domain is large, and needed for the first start alone.
  const { createFirstAccount } = await import('./create-first-account.js');
  return createFirstAccount(config);
}
