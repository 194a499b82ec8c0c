import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { makeId } from '../../src/domain/id.js';
import { adminJson } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { arrangeAccount, arrangeEndpoint, eventType } from '../support/engine.js';

const day = 86_400_000;

describe('admin doctor, of deliveries', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let domain: Database;
  let account: string;

  before(async () => {
    database = await createTestDatabase();
    domain = await database.open();
  });
  after(() => database.drop());
  beforeEach(async () => {
    await database.query('truncate chain, event, endpoint_secret, endpoint');
    account = await arrangeAccount(database);
    await arrangeEndpoint(database, account);
  });

  /** Opens a chain so many days ago. @returns its id */
  const open = async (days: number): Promise<string> => {
    const input = { type: eventType, subject: 's', data: {}, test: false };
    const event = await domain.transact((tx) => publishEvent(tx, account, input));
    const id = makeId('chn', new Date(Date.now() - days * day));
    await database.query('update chain set id = $2 where event_id = $1', [event.id, id]);
    return id;
  };
  const examine = async () => {
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

  it('warns of chains that have been open for more than 35 days, and names the oldest', async () => {
    await open(34);
    expect(await examine()).to.include({ level: 'ok' });
    await open(36);
    const oldest = await open(50);
    const finding = await examine();
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.match(new RegExp(`^2 pending .* ${oldest}`));
  });

  it('warns of parked chains, which are no other fault however old they are', async () => {
    await open(36);
    await database.query(
      `update chain set ready = false, lease_token = null, parked_reason = 'it ended processes'`,
    );
    const finding = await examine();
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.match(/^1 dead-lettered: .*releaseParkedChain/);
    expect(finding?.detail).not.to.include('35 days');
  });
});
