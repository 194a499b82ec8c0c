import type { Database } from '../../../../src/database/database.js';
import { Claimer } from '../../../../src/domain/delivery/claiming.js';
import { recentAttempts } from '../../../../src/domain/delivery/deliveries.js';
import { releaseClaims } from '../../../../src/domain/delivery/leases.js';
import { reserveSendTimes } from '../../../../src/domain/delivery/send-times.js';
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
      title: 'claims past endpoints whose send times are used up',
      do: async () => {
        const busy = await test().query<{ accountId: string; endpointId: string }>(
          `select distinct account_id as "accountId", endpoint_id as "endpointId" from pending_delivery
            where ready and lease_token is null order by 2 limit 10`,
        );

        const rateLimited = busy.map((each) => ({
          ...each,
          waiting: 0,
          running: 0,
          room: 0,
          backlogged: true,
        }));

        const capacity = {
          slots: 100,
          perEndpoint: 10,
          inFlight: new Map<string, number>(),
          rateLimited,
        };

        // Given back: what is claimed here, the claims after it would have to read past.
        const claims = await new Claimer('live', 60_000).claim(database().read, capacity);
        await releaseClaims(database().read, claims);
      },
    },
    {
      title: 'reserves send times',
      do: async () => {
        // Of endpoints from the middle of the table.
        const limited = await test().query<{ id: string }>(
          `with chosen as (select id from endpoint where deleted_at is null order by id limit 20),
                limits as (update endpoint e set max_per_second = 10 from chosen c where c.id = e.id),
                rates as (insert into endpoint_rate select id, now() from endpoint on conflict do nothing)
           select id from chosen order by id`,
        );
        const wanted = limited.map(({ id }) => ({ endpointId: id, count: 5 }));
        await reserveSendTimes(database().read, wanted, 1_000);
        await test().query('update endpoint set max_per_second = null where max_per_second = 10');
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
