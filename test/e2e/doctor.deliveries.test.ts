import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { makeId } from '../../src/domain/id.js';
import { adminJson } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertAccount, insertEndpoint, eventType } from '../support/engine.js';

const day = 86_400_000;

describe('admin doctor, of deliveries', () => {
  let database: TestDatabase;
  let domain: Database;
  let account: string;

  before(async () => {
    database = await createTestDatabase();
    domain = await database.open();
  });

  after(() => database.drop());

  beforeEach(async () => {
    await database.query('truncate pending_delivery, event, endpoint_secret, endpoint');
    account = await insertAccount(database);
    await insertEndpoint(database, account);
  });

  /** Opens a pending delivery so many days ago. @returns its id */
  const open = async (days: number): Promise<string> => {
    const input = { type: eventType, subject: 's', data: {}, test: false };
    const event = await domain.transact((tx) => publishEvent(tx, account, input));
    const id = makeId('pdl', new Date(Date.now() - days * day));
    await database.query('update pending_delivery set id = $2 where event_id = $1', [event.id, id]);
    return id;
  };

  const runDoctor = async () => {
    const environment = {
      BASE_URL: 'https://api.example',
      // That of the secrets that the arranged endpoints have.
      SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      DATABASE_URL: database.url,
    };
    const findings = (await adminJson(environment, ['doctor'], 0)) as {
      readonly subject: string;
      readonly level: string;
      readonly detail: string;
    }[];
    return findings.find(({ subject }) => subject === 'deliveries');
  };

  it('warns about deliveries that are pending for more than 35 days, and names the oldest', async () => {
    await open(34);
    expect(await runDoctor()).to.include({ level: 'ok' });
    await open(36);
    const oldest = await open(50);
    const finding = await runDoctor();
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.match(new RegExp(`^2 pending .* ${oldest}`));
  });

  it('warns about dead letters, which count as nothing else however old they are', async () => {
    await open(36);
    await database.query(
      `update pending_delivery set ready = false, lease_token = null, dead_letter_reason = 'it ended processes'`,
    );
    const finding = await runDoctor();
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.match(/^1 dead-lettered: .*releaseDeadLetter/);
    expect(finding?.detail).not.to.include('35 days');
  });
});
