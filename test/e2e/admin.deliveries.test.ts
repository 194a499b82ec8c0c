import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { admin, adminJson } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertAccount, insertEndpoint, eventType } from '../support/engine.js';

describe('npm run admin -- deliveries', () => {
  let database: TestDatabase;
  let domain: Database;

  before(async () => {
    database = await createTestDatabase();
    domain = await database.open();
  });

  after(() => database.drop());

  it('puts isolated deliveries back, however many there are', async () => {
    const account = await insertAccount(database);
    await insertEndpoint(database, account);

    const input = { type: eventType, subject: 's', data: {} };
    await domain.transact((tx) => publishEvent(tx, account, input));
    await database.query(`update pending_delivery set lane = 'isolated', interruptions = 3`);

    await database.query(
      `insert into pending_delivery select (jsonb_populate_record(c, jsonb_build_object('id', 'pdl_' || n))).*
         from pending_delivery c, generate_series(1, 2500) n`,
    );

    const environment = { BASE_URL: 'https://api.example', DATABASE_URL: database.url };
    const secret = { SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
    const command = ['deliveries', 'release-isolated'];
    expect(await adminJson({ ...environment, ...secret }, command)).to.deep.equal({
      released: 2_501,
    });

    const [row] = await database.query(
      `select count(*)::int as count from pending_delivery where lane = 'isolated' or interruptions > 0`,
    );
    expect(row).to.deep.equal({ count: 0 });

    const { stdout } = await admin({ ...environment, ...secret }, ...command);
    expect(stdout).to.match(/^Released 0 isolated deliveries\. .+\n$/);
  });
});
