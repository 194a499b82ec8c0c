import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import {
  bulk,
  bulkFill,
  disableAutovacuum,
  setStatisticsToEmpty,
  setStatisticsToAfterBurst,
  avoidScansOption,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
  replannedOf,
  type LoggedPlan,
} from '../../../support/plans.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { insertAccount, insertEndpoint, eventType } from '../../../support/engine.js';
import { shortened } from '../../../support/long-run.js';
import { hotStatements, usual } from './hot-statements.js';

/** PostgreSQL takes a table for a small one until it has looked at it, and for as large as it was after that. */
const states = ['unknown', 'known, and a burst over,', 'known to be empty'] as const;
for (const state of shortened(states, 2)) {
  describe(`what a worker asks of tables that were filled at once, ${state} before`, () => {
    let test: TestDatabase;
    let database: Database;
    let account: string;
    let big: ReadonlySet<string>;
    let whileEmpty: LoggedPlan[];
    const works = hotStatements(
      () => test,
      () => database,
    );

    const open = () =>
      test.open({ pool: 1, serverSettings: { ...engineServerSettings, ...explaining } });

    before(async () => {
      test = await createTestDatabase(undefined, avoidScansOption);
      await disableAutovacuum(test);
      database = await open();
      account = await insertAccount(test);

      const workOnce = () =>
        plansOf(async () => {
          for (const work of works) {
            await insertEndpoint(test, account);
            await database.transact((tx) =>
              publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
            );
            await work.do();
          }
        });

      whileEmpty = await workOnce();
      if (state === 'known to be empty') await setStatisticsToEmpty(test);
      if (state === 'known, and a burst over,') await setStatisticsToAfterBurst(test);
      if (state !== 'unknown') whileEmpty = await workOnce();
      await bulkFill(test, account);
      big = await bigTables(test);
    });

    after(() => test.drop());

    const runsAll = (checks: (plans: readonly LoggedPlan[]) => unknown = () => undefined) => {
      for (const { title, do: work, most = usual } of works) {
        it(`${title}: by indexes, and no more than it needs`, async () => {
          const plans = await plansOf(work);
          expect(plans).to.have.lengthOf.above(0);
          expect(excessesOf(plans, big, most)).to.deep.equal([]);
          await checks(plans);
        });
      }
    };

    describe('on a connection that prepared it while they were empty', () => {
      runsAll(async (plans) => {
        expect(await replannedOf(database, whileEmpty, plans), 'planned since').to.deep.equal([]);
      });
    });

    describe('on a connection that prepares it now', () => {
      before(async () => {
        await test.query(`update lease set until = now() - interval '1 second'`);
        database = await open();
      });
      runsAll();
    });

    it('covers the large tables', async () => {
      const [row] = await test.query<{ pendingDeliveries: number }>(
        'select count(*)::int as "pendingDeliveries" from pending_delivery',
      );
      expect(row?.pendingDeliveries).to.be.above(bulk.busyEndpoints * bulk.readyEach);
      expect([...big]).to.include.members([
        'pending_delivery',
        'endpoint',
        'endpoint_secret',
        'notice',
      ]);
      expect([...big].filter((name) => /^(event|delivery)_/.test(name))).to.have.lengthOf(4);
    });
  });
}
