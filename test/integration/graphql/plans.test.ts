import { expect } from 'chai';
import { apiServerSettings } from '../../../src/database/address.js';
import { partitionsSince } from '../../../src/database/partitions.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import { listDeliveries } from '../../../src/domain/delivery/deliveries.js';
import { readReplays, type ReplayResult } from '../../../src/domain/delivery/replay.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import { compileOperation, execute } from '../../../src/graphql/execute.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { fillAccount } from '../../../tools/seed/fill-account.js';
import {
  bulkFill,
  disableAutovacuum,
  setStatisticsToEmpty,
  avoidScansOption,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
  replannedOf,
  type LoggedPlan,
} from '../../support/plans.js';
import { createTestDatabase } from '../../support/database.js';
import { shortened } from '../../support/long-run.js';
import { operationVariables, type Variables } from './operation-variables.js';
import { otherOperations, type Shop } from './other-operations.js';
import { more, orders, usual } from './plan-allowances.js';
import { createFixture, offerInput, operationDocuments, type Fixture } from './fixture.js';

/** The statistics that PostgreSQL has when it plans. */
const modes = {
  'planned for their values, as the first times': {
    mode: 'force_custom_plan',
    statistics: 'nothing',
  },
  'planned once, while they were known to be empty': {
    mode: 'force_generic_plan',
    statistics: 'empty',
  },
  'planned for their values, when all is known': { mode: 'force_custom_plan', statistics: 'all' },
  'planned once, while the tables were empty': {
    mode: 'force_generic_plan',
    statistics: 'nothing',
  },
  'planned once, while they were known to be small': {
    mode: 'force_generic_plan',
    statistics: 'size',
  },
};
for (const [planned, { mode, statistics }] of shortened(Object.entries(modes), 2)) {
  describe(`what the API asks of tables that were filled at once, ${planned}`, () => {
    let fixture: Fixture;
    let big: ReadonlySet<string>;
    let whileEmpty: LoggedPlan[];
    let small: Shop;

    /** Has very many endpoints and deliveries. */
    let busy: Shop;

    /** Has long books. */
    let large: Shop;
    const schema = buildSchema();
    const documents = operationDocuments();
    const compiled = new Map(
      [...documents].map(([id, text]) => [
        id,
        compileOperation<unknown, object>(schema, { text }, () => undefined),
      ]),
    );

    before(async () => {
      const serverSettings = { ...explaining, ...apiServerSettings, plan_cache_mode: mode };
      const made = createTestDatabase(undefined, avoidScansOption);
      fixture = await createFixture({ pool: 1, serverSettings }, made);

      const { test, database } = fixture;
      await disableAutovacuum(test);
      small = await shopOf(fixture.account);
      busy = await shopOf(fixture.other);

      const { id } = await database.transact((tx) => createAccount(tx, { name: 'Large' }));
      large = await shopOf(id);
      if (statistics === 'empty') await setStatisticsToEmpty(test);
      if (statistics === 'size') await test.query('vacuum analyze');

      whileEmpty = await plansOf(async () => {
        for (const [operation, asked] of Object.entries(operationVariables)) {
          for (const variables of asked) await run(operation, variables, small);
        }
        for (const other of Object.values(otherOperations)) await other(fixture, small);
      });

      await bulkFill(test, busy.account);

      const since = await partitionsSince(database.read);
      await fillAccount(
        { read: database.read, transact: database.transact, since },
        { account: id, orders, seed: 1 },
      );

      if (statistics === 'all') await test.query('analyze');
      big = await bigTables(test);
    });

    after(() => fixture.drop());

    async function shopOf(account: string): Promise<Shop> {
      return {
        account,
        viewer: await fixture.viewer('live', { account }),
        token: await fixture.token('live', { account }),
      };
    }

    async function run(id: string, variables: Variables, { account, viewer }: Shop) {
      const { test, database } = fixture;
      const subject = async (query: string) => {
        const [row] = await test.query<{ id: string }>(query, [account]);
        if (!row) throw new Error(`${id}: there is nothing to ask for`);
        return row.id;
      };

      if (id === 'commerce.offers.cancel') {
        await database.transact((tx) => createOffer(tx, account, offerInput));
      }

      const operation = compiled.get(id);
      if (!operation) throw new Error(`${id} has no document`);

      // What waits for a worker gets the record of another attempt.
      const waitForReplay = async (pending: string): Promise<ReplayResult> => {
        await readReplays(database.read, [pending]);
        const { data: deliveries } = await listDeliveries(database.read, account, { limit: 1 });
        return { kind: 'recorded', delivery: deliveries[0]! };
      };

      const given = await variables(subject);
      await execute(operation, given, fixture.context(viewer, { waitForReplay })).catch(
        (error: unknown) => {
          // The busy account has more endpoints than it may have; counting them is what costs.
          if ((error as { code?: unknown }).code !== 'endpoint_limit_reached') throw error;
        },
      );
    }

    async function check(plans: readonly LoggedPlan[], most = usual): Promise<void> {
      expect(plans).to.have.lengthOf.above(0);
      expect(excessesOf(plans, big, most)).to.deep.equal([]);
      if (mode === 'force_generic_plan') {
        const replanned = await replannedOf(fixture.database, whileEmpty, plans);
        expect(replanned, 'planned since').to.deep.equal([]);
      }
    }

    it('asks every operation of /v1', () => {
      expect(Object.keys(operationVariables)).to.have.members([...documents.keys()]);
    });

    for (const [id, asked] of Object.entries(operationVariables)) {
      it(`${id}: by indexes, and no more than it needs`, async () => {
        const plans = await plansOf(async () => {
          const shop = id.startsWith('webhooks.') ? busy : large;
          for (const variables of asked) await run(id, variables, shop);
        });
        await check(plans, more[id]);
      });
    }

    for (const [title, work] of Object.entries(otherOperations)) {
      it(`${title}: by indexes, and no more than it needs`, async () => {
        const plans = await plansOf(() =>
          work(fixture, title.startsWith('a delivery') ? busy : large),
        );
        await check(plans, more[title]);
      });
    }
  });
}
