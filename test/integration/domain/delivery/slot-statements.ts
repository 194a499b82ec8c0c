import type { Database } from '../../../../src/database/database.js';
import { Claimer } from '../../../../src/domain/delivery/sql/claimer.js';
import { recentAttempts } from '../../../../src/domain/delivery/recent-attempts.js';
import type { TestDatabase } from '../../../support/database.js';

/** What a worker asks because accounts have shares. */
export function slotStatements(test: () => TestDatabase, database: () => Database) {
  const ids = async () => (await test().query<{ id: string }>('select id from account')).map(idOf);
  return [
    {
      title: 'claims beside accounts that have their share, of their prompt endpoints alone',
      do: async () => {
        const accounts = new Map((await ids()).map((id) => [id, 0]));
        const fast = await test().query<{ accountId: string; endpointId: string }>(
          // Not the first ones, which have most that is claimed already.
          `select distinct account_id as "accountId", endpoint_id as "endpointId" from pending_delivery
            where ready and lease_token is null order by 2 desc limit 50`,
        );
        const inFlight = new Map<string, number>();
        const capacity = { slots: 100, perEndpoint: 10, inFlight, accounts, fast };
        const claimer = new Claimer('live', 60_000);
        for (let turn = 0; turn < 2; turn += 1) await claimer.claim(database().read, capacity);
      },
    },
    {
      title: 'reads recent attempts',
      do: async () => recentAttempts(database().read, await ids(), new Date()),
    },
  ];
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}
