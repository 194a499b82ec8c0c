import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import type { RecoveryInput } from '../../../../src/domain/recovery/recovery-input.js';
import { runRecoveryStep, type StepResult } from '../../../../src/domain/recovery/run-step.js';
import { startRecovery } from '../../../../src/domain/recovery/change-recovery.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { emptyEngine, insertAccount, insertEndpoint } from '../../../support/engine.js';
import { insertPastEvent, insertRecords, type PastEvent } from '../../../support/recoveries.js';

/** An account with one active endpoint, a day old, and no events. */
export class RecoveryFixture {
  readonly test: TestDatabase;
  readonly database: Database;
  account = '';
  endpoint = '';

  private constructor(test: TestDatabase, database: Database) {
    this.test = test;
    this.database = database;
  }

  static async create(): Promise<RecoveryFixture> {
    const test = await createTestDatabase();
    const options = { serverSettings: engineServerSettings, pool: 4 };
    return new RecoveryFixture(test, await test.open(options));
  }

  /** Begins again with another account. */
  async reset(): Promise<void> {
    await emptyEngine(this.test);
    await this.test.query('truncate recovery');
    this.account = await insertAccount(this.test);
    const dayOld = `created_at = now() - interval '1 day'`;
    this.endpoint = await insertEndpoint(this.test, this.account, dayOld);
  }

  past(event: PastEvent = {}): Promise<string> {
    return insertPastEvent(this.test, this.account, event);
  }

  records(event: string, ...statuses: ('success' | 'failed' | 'abandoned')[]): Promise<string[]> {
    const { account, endpoint } = this;
    return insertRecords(this.test, { account, endpoint, event }, ...statuses);
  }

  /** Starts a recovery at 200 deliveries a second. @returns its id */
  async start(changes: Partial<RecoveryInput> = {}): Promise<string> {
    const input = { endpointId: this.endpoint, what: 'both', ratePerSecond: 200 } as const;
    const { id } = await this.database.transact((tx) =>
      startRecovery(tx, this.account, { ...input, idempotencyKey: 'key', ...changes }),
    );
    return id;
  }

  /** Runs the next step at once. */
  async step(): Promise<StepResult | undefined> {
    await this.test.query(
      `update recovery
          set next_step_at = now() - interval '1 second', credited_at = now() - interval '1 hour'`,
    );
    return runRecoveryStep(this.database.transact);
  }

  /** What steps added, in the order in which it is due. */
  added(): Promise<{ event: string; from: string | null }[]> {
    return this.test.query(
      `select event_id as event, replayed_from as "from" from pending_delivery
        where lane = 'recovery' order by due_at`,
    );
  }

  async addedEvents(): Promise<string[]> {
    return (await this.added()).map(({ event }) => event);
  }
}
