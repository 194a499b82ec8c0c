import { expect } from 'chai';
import { createDataSource } from '../../../src/database/data-source.js';
import { GatheredNotices1764000018000 } from '../../../src/database/migrations/0018-gathered-notices.js';
import { Notices1764000002000 } from '../../../src/database/migrations/0002-notices.js';
import { NoticeClaimer } from '../../../src/domain/notice/claim.js';
import { messageOf } from '../../../src/domain/notice/messages.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

const body = `Your webhook endpoint was disabled because it answered 410 Gone.

Endpoint: whs_1
URL: https://shop.example/?Reason:=none
Reason: receiver_gone
Time: 2026-11-20T12:00:00.000Z
Last response status: 410

Scheduled attempts were cancelled and their deliveries are marked abandoned.
To enable it again, set "active" to true: PATCH /v1/webhooks/endpoints/whs_1
Abandoned deliveries can be replayed afterwards.
`;

describe('the migration of notices', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  async function migrating(work: 'up' | 'down'): Promise<void> {
    const source = createDataSource({ url: test.url, pool: 1, applicationName: 'signalpost-test' });
    const runner = (await source.initialize()).createQueryRunner();
    try {
      await runner.startTransaction();
      await new Notices1764000002000()[work](runner);
      await runner.commitTransaction();
      // What claims need of the table, and drops with it.
      if (work === 'up') await new GatheredNotices1764000018000().up(runner);
    } finally {
      await source.destroy();
    }
  }

  it('H73: keeps what is stored, and owes the same mail', async () => {
    await migrating('down');
    await test.query(`insert into account (id, name, created_at) values ('acc_1', 'Shop', now())`);
    await test.query(
      `insert into endpoint (id, account_id, url, active, notification_email, event_types,
                             created_at, updated_at)
       values ('whs_1', 'acc_1', 'https://shop.example/', false, 'ops@shop.example', '{a}', now(), now())`,
    );
    await test.query(
      `insert into notice (id, account_id, endpoint_id, recipient, subject, body, message_id,
                           created_at, due_at)
       values ('ntc_1', 'acc_1', 'whs_1', 'ops@shop.example',
               'Webhook endpoint disabled: https://shop.example/?Reason:=none', $1,
               '<ntc_1@api.example>', now(), now())`,
      [body],
    );
    await migrating('up');
    const { transact } = await test.open();
    const [claim] = await new NoticeClaimer(60_000).claim(transact, 5);
    expect(claim).to.include({ id: 'ntc_1', messageId: '<ntc_1@api.example>' });
    expect(messageOf(claim!)).to.deep.equal({
      to: 'ops@shop.example',
      subject: 'Webhook endpoint disabled: https://shop.example/?Reason:=none',
      text: body,
    });
  });

  it('is not taken back while a notice is owed', async () => {
    const refusal = await migrating('down').catch((error: unknown) => error);
    expect(refusal)
      .to.be.instanceOf(Error)
      .with.property('message')
      .match(/notices are owed/);
    expect(await test.query('select id from notice')).to.deep.equal([{ id: 'ntc_1' }]);
    await test.query('update notice set sent_at = now()');
    await migrating('down');
    await migrating('up');
  });
});
