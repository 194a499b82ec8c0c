import { setEndpointOptions } from '../../../../src/domain/endpoint/endpoint-options.js';
import { expect } from 'chai';
import { apiServerSettings } from '../../../../src/database/address.js';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { exportAccount } from '../../../../src/domain/account/export-account.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { startAccountErasure, startBuyerErasure } from '../../../../src/domain/erasure/erasures.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import {
  cancelRecovery,
  previewRecovery,
  startRecovery,
} from '../../../../src/domain/recovery/change-recovery.js';
import { recoveriesDue, getRecovery } from '../../../../src/domain/recovery/recoveries.js';
import { runRecoveryStep } from '../../../../src/domain/recovery/run-step.js';
import { readChanges } from '../../../../src/domain/stream/changes.js';
import { loadItems } from '../../../../src/domain/stream/items.js';
import {
  readServerState,
  emptySnapshot,
  type Snapshot,
} from '../../../../src/domain/stream/snapshot.js';
import {
  bulkFill,
  avoidScansOption,
  disableAutovacuum,
  type Allowance,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
} from '../../../support/plans.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { eventType, insertAccount, insertEndpoint } from '../../../support/engine.js';
import { runErasure } from '../../../support/erasure.js';
import { shortened } from '../../../support/long-run.js';
import { insertManyPastEvents } from '../../../support/recoveries.js';

const shops = 50;

for (const state of shortened(['unknown', 'known'], 1)) {
  describe(`reading an account beside the many rows of another, ${state} to the planner`, () => {
    let test: TestDatabase;
    let api: Database;
    let worker: Database;
    let accounts: readonly string[];
    let big: ReadonlySet<string>;
    let recovering: { readonly account: string; readonly endpoint: string };
    let earlier: Snapshot;

    before(async () => {
      test = await createTestDatabase(undefined, avoidScansOption);
      await disableAutovacuum(test);

      const open = (settings: Readonly<Record<string, string>>) =>
        test.open({ pool: 1, serverSettings: { ...settings, ...explaining } });
      api = await open(apiServerSettings);
      worker = await open(engineServerSettings);
      ({ snapshot: earlier } = await readServerState(api.read));

      // Half of its events and records have ids of now.
      await bulkFill(test, await insertAccount(test));

      const { transact } = api;
      const opened: string[] = [];
      for (let shop = 0; shop < shops; shop += 1) {
        const { id } = await transact((tx) => createAccount(tx, { name: `Shop ${shop}` }));
        await insertEndpoint(test, id);
        for (const key of ['one', 'two'])
          await transact((tx) =>
            publishEvent(tx, id, { type: eventType, subject: 's', data: {}, key, test: false }),
          );
        opened.push(id);
      }

      accounts = opened;

      const account = await insertAccount(test);
      const dayOld = `created_at = now() - interval '1 day'`;
      recovering = { account, endpoint: await insertEndpoint(test, account, dayOld) };
      await insertManyPastEvents(test, recovering, { abandoned: 40, missed: 10 });
      if (state === 'known') await test.query('analyze');
      big = await bigTables(test);
    });

    after(() => test.drop());

    const reads = async (most: Allowance, work: () => Promise<unknown>) => {
      // Pending deliveries have no index by account, since every publish would pay for it.
      const plans = (await plansOf(work)).filter(
        ({ text }) => !text.includes('"pending_delivery" r'),
      );
      expect(plans).to.have.lengthOf.above(0);
      expect(excessesOf(plans, big, most)).to.deep.equal([]);
    };

    it('regards event and delivery as large tables', () => {
      for (const table of ['event', 'delivery']) expect([...big].join(' ')).to.include(table);
    });

    for (const base of ['the last step', 'the beginning']) {
      it(`reads the changes of ${shops} streams since ${base} by indexes`, () =>
        reads({ rows: 1_000, blocks: 8_000 }, async () => {
          const { read } = api;
          const { snapshot: target, at } = await readServerState(read);
          const readers = accounts.map((account) => ({ account, after: '' }));
          const isStep = base === 'the last step';
          const difference = {
            base: isStep ? earlier : emptySnapshot,
            target,
            since: at - (isStep ? 60_000 : 86_400_000),
          };

          const found = await readChanges(read, readers, difference, 100);
          expect(found.size).to.equal(shops);

          const changes = [...found.values()].flat();
          expect((await loadItems(read, changes.slice(0, 100))).size).to.equal(100);
        }));
    }

    it('previews and runs a recovery by indexes', () =>
      reads({ rows: 1_000, blocks: 3_000 }, async () => {
        const { account, endpoint } = recovering;
        const range = { endpointId: endpoint, what: 'both', ratePerSecond: 200 } as const;
        const preview = await previewRecovery(api.read, account, range);
        expect(preview).to.deep.include({ failed: 40, missed: 10, complete: true });
        const { id } = await api.transact((tx) =>
          startRecovery(tx, account, { ...range, idempotencyKey: 'once' }),
        );
        expect(await recoveriesDue(worker.read)).to.include({ running: true, due: true });
        expect(await runRecoveryStep(worker.transact)).to.include({ failed: 40, missed: 10 });
        expect(await getRecovery(api.read, account, id)).to.include({ failed: 40, waiting: 50 });
        await api.transact((tx) => cancelRecovery(tx, account, id));
      }));

    it('previews and runs a recovery of an endpoint with a filter by indexes', () =>
      reads({ rows: 1_000, blocks: 3_000 }, async () => {
        const { account, endpoint } = recovering;
        const range = { endpointId: endpoint, what: 'both', ratePerSecond: 200 } as const;
        const set = (filter: string | null) =>
          api.transact((tx) => setEndpointOptions(tx, account, endpoint, { filter }));
        await set('!exists($.data.none)');
        const preview = await previewRecovery(api.read, account, range);
        expect(preview).to.deep.include({ failed: 40, missed: 10, complete: true });
        const { id } = await api.transact((tx) =>
          startRecovery(tx, account, { ...range, idempotencyKey: 'filtered' }),
        );
        expect(await runRecoveryStep(worker.transact)).to.include({ failed: 40, missed: 10 });
        await api.transact((tx) => cancelRecovery(tx, account, id));
        await set(null);
      }));

    it('a step of a recovery reads at most 2,000 events, a preview 10,000', async () => {
      const { account, endpoint } = recovering;
      const range = { endpointId: endpoint, what: 'both', ratePerSecond: 200 } as const;

      await insertManyPastEvents(test, recovering, { abandoned: 0, missed: 20_000 });
      await test.query(`update endpoint set event_types = '{offer.sent}' where id = $1`, [
        endpoint,
      ]);
      await reads({ rows: 2 * 10_000 + 100, blocks: 20_000 }, () =>
        previewRecovery(api.read, account, range),
      );
      await api.transact((tx) => startRecovery(tx, account, { ...range, idempotencyKey: 'again' }));
      await reads({ rows: 2 * 2_000 + 100, blocks: 5_000 }, async () => {
        expect(await runRecoveryStep(worker.transact)).to.include({ failed: 0, missed: 0 });
      });
    });

    it('exports the account by indexes', () =>
      reads({ rows: 500, blocks: 1_000 }, async () => {
        const tables = new Set<string>();
        for await (const rows of exportAccount(api.read, accounts[0] ?? ''))
          for (const { table } of rows) tables.add(table);
        expect([...tables]).to.include.members(['event', 'endpoint', 'pending_delivery']);
      }));

    it('erases a buyer by indexes', () =>
      reads({ rows: 500, blocks: 1_000 }, async () => {
        const input = {
          account: accounts[1] ?? '',
          email: 'ada@example.com',
          includeInvoices: true,
        };
        const { id } = await api.transact((tx) => startBuyerErasure(tx, input, 'command'));
        await runErasure(worker, id);
      }));

    it('erases the account by indexes', () =>
      reads({ rows: 500, blocks: 1_000 }, async () => {
        const { id } = await api.transact((tx) =>
          startAccountErasure(tx, accounts[2] ?? '', 'command'),
        );
        await runErasure(worker, id);
      }));
  });
}
