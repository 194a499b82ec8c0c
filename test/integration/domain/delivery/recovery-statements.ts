import type { Database } from '../../../../src/database/database.js';
import { smallestId } from '../../../../src/domain/id.js';
import { countRecoveries, recoveriesDue } from '../../../../src/domain/recovery/recoveries.js';
import type { RecoveryKind } from '../../../../src/domain/recovery/recovery.entity.js';
import { runRecoveryStep } from '../../../../src/domain/recovery/run-step.js';
import type { TestDatabase } from '../../../support/database.js';
import { insertPastEvent, insertRecords } from '../../../support/recoveries.js';

/** One step reads at most 2,000 events, each with its records and its pending delivery. */
const most = { rows: 12_000, blocks: 60_000 };

/** What a worker asks for recoveries. */
export function recoveryStatements(test: () => TestDatabase, database: () => Database) {
  const step = async (what: RecoveryKind) => {
    const [endpoint] = await test().query<{ id: string; account: string }>(
      `select id, account_id as account from endpoint e
        where e.active and e.deleted_at is null and e.cancelling_since is null
          and e.failing_since is null order by e.id desc limit 1`,
    );

    const { id, account } = endpoint!;
    const event = await insertPastEvent(test(), account);

    if (what === 'failed')
      await insertRecords(test(), { account, endpoint: id, event }, 'abandoned');

    const since = new Date(Date.now() - 8 * 86_400_000);
    await test().query(
      `insert into recovery (id, account_id, endpoint_id, what, since, until, include_before,
                             rate_per_second, idempotency_key, fingerprint, status, position,
                             credited_at, next_step_at, created_at, updated_at)
       values ('rcv_1', $4, $5, $1, $2, now(), true, 500, 'key', '', 'running', $3, $2, $2, now(),
               now())`,
      [what, since, smallestId('evt', since), account, id],
    );

    await recoveriesDue(database().read);
    await runRecoveryStep(database().transact);
    await countRecoveries(database().read);
    await test().query('delete from recovery');
  };

  return [
    { title: 'runs a step of a recovery of what was missed', do: () => step('missed'), most },
    { title: 'runs a step of a recovery of what failed', do: () => step('failed'), most },
  ];
}
