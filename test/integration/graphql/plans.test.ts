import { expect } from 'chai';
import { apiServerSettings } from '../../../src/database/api-server-settings.js';
import { partitionsSince } from '../../../src/database/partitions.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import { listDeliveries } from '../../../src/domain/delivery/deliveries.js';
import { readReplays, type ReplayEnd } from '../../../src/domain/delivery/replay.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import { compileOperation, execute } from '../../../src/graphql/execute.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { fillAccount } from '../../../src/seed/fill-account.js';
import { bulkFill } from '../../support/bulk-fill.js';
import { createTestDatabase } from '../../support/database.js';
import { autovacuumOff, knowAsEmpty, plansForAnything } from '../../support/planner-knowledge.js';
import {
  bigTables,
  excessesOf,
  explaining,
  plansOf,
  replannedOf,
  type SeenPlan,
} from '../../support/plans.js';
import { askedOperations, type Variables } from './asked-operations.js';
import { otherWork, type Shop } from './other-work.js';
import { more, orders, usual } from './plan-allowances.js';
import { arrangeWorld, offerInput, operationDocuments, type World } from './world.js';

/** What PostgreSQL has been told of the tables when it plans. */
const modes = {
  'planned for their values, as the first times': { mode: 'force_custom_plan', told: 'nothing' },
  'planned for their values, when all is known': { mode: 'force_custom_plan', told: 'all' },
  'planned once, while the tables were empty': { mode: 'force_generic_plan', told: 'nothing' },
  'planned once, while they were known to be empty': { mode: 'force_generic_plan', told: 'empty' },
  'planned once, while they were known to be small': { mode: 'force_generic_plan', told: 'size' },
};
for (const [planned, { mode, told }] of Object.entries(modes)) {
  describe(`what the API asks of tables that were filled at once, ${planned}`, function () {
    this.timeout(60_000);
    let world: World;
    let big: ReadonlySet<string>;
    let whileEmpty: SeenPlan[];
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
      const made = createTestDatabase(undefined, plansForAnything);
      world = await arrangeWorld({ pool: 1, serverSettings }, made);
      const { test, database } = world;
      await autovacuumOff(test);
      small = await shopOf(world.account);
      busy = await shopOf(world.other);
      const { id } = await database.transact((tx) => createAccount(tx, { name: 'Large' }));
      large = await shopOf(id);
      if (told === 'empty') await knowAsEmpty(test);
      if (told === 'size') await test.query('vacuum analyze');
      whileEmpty = await plansOf(async () => {
        for (const [operation, asked] of Object.entries(askedOperations)) {
          for (const variables of asked) await run(operation, variables, small);
        }
        for (const other of Object.values(otherWork)) await other(world, small);
      });
      await bulkFill(test, busy.account);
      const since = await partitionsSince(database.read);
      await fillAccount(
        { read: database.read, transact: database.transact, since },
        { account: id, orders, seed: 1 },
      );
      if (told === 'all') await test.query('analyze');
      big = await bigTables(test);
    });
    after(() => world.drop());

    async function shopOf(account: string): Promise<Shop> {
      return {
        account,
        viewer: await world.viewer('live', { account }),
        token: await world.token('live', { account }),
      };
    }

    async function run(id: string, variables: Variables, { account, viewer }: Shop) {
      const { test, database } = world;
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
      const settled = async (chain: string): Promise<ReplayEnd> => {
        await readReplays(database.read, [chain]);
        const { deliveries } = await listDeliveries(database.read, account, { limit: 1 });
        return { kind: 'settled', delivery: deliveries[0]! };
      };
      const given = await variables(subject);
      await execute(operation, given, world.context(viewer, { settled })).catch(
        (error: unknown) => {
          // The busy account has more endpoints than it may have; counting them is what costs.
          if ((error as { code?: unknown }).code !== 'endpoint_limit_reached') throw error;
        },
      );
    }

    async function check(plans: readonly SeenPlan[], most = usual): Promise<void> {
      expect(plans).to.have.lengthOf.above(0);
      expect(excessesOf(plans, big, most)).to.deep.equal([]);
      if (mode === 'force_generic_plan') {
        const replanned = await replannedOf(world.database, whileEmpty, plans);
        expect(replanned, 'planned since').to.deep.equal([]);
      }
    }

    it('asks every operation of /v1', () => {
      expect(Object.keys(askedOperations)).to.have.members([...documents.keys()]);
    });

    for (const [id, asked] of Object.entries(askedOperations)) {
      it(`${id}: by indexes, and no more than it needs`, async () => {
        const plans = await plansOf(async () => {
          const shop = id.startsWith('webhooks.') ? busy : large;
          for (const variables of asked) await run(id, variables, shop);
        });
        await check(plans, more[id]);
      });
    }
    for (const [title, work] of Object.entries(otherWork)) {
      it(`${title}: by indexes, and no more than it needs`, async () => {
        const plans = await plansOf(() =>
          work(world, title.startsWith('a delivery') ? busy : large),
        );
        await check(plans);
      });
    }
  });
}
