import { expect } from 'chai';
import { createAccount } from '../../src/domain/account/accounts.js';
import { recordPayment } from '../../src/domain/payment/record-payment.js';
import { openOfferCheckout } from '../../src/domain/offer/hosted-offer.js';
import { createOffer } from '../../src/domain/offer/offers.js';
import { cancelOffer, sendOffer } from '../../src/domain/offer/change-offer.js';
import { createWakeupPublisher } from '../../src/queue/producer.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import {
  type MailServer,
  startMailServer,
  makeNoticesDue,
  noticesOf,
  enqueueNoticesTo,
} from '../support/mail.js';
import { describeOnQueues } from '../support/queue-backends.js';
import { report } from '../support/reconciliation.js';
import { startWorker, type WorkerProcess } from '../support/service.js';

let written = 0;
/** Addresses that no mail was sent to. */
const addresses = (count: number) =>
  Array.from({ length: count }, () => `ops${(written += 1)}@shop.example`);

const messageIdsOf = (mails: MailServer['mails']) =>
  mails.map(({ headers }) => headers['message-id']?.[0]);

function startSender(
  test: TestDatabase,
  server: MailServer,
  environment: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  return startWorker({
    DATABASE_URL: test.url,
    WORKER_ROLES: 'notify',
    SMTP_URL: server.url,
    ...environment,
  });
}

/** Waits until every notice is recorded as sent and was taken. */
function allSent(test: TestDatabase, server: MailServer): Promise<void> {
  return eventually(async () => {
    const rows = await noticesOf(test);
    expect(rows.filter(({ sent_at }) => sent_at === null)).to.deep.equal([]);
    expect(messageIdsOf(server.taken)).to.have.members(rows.map(({ message_id }) => message_id));
  }, 'every notice is sent, once');
}

describeOnQueues('notices', (create) => {
  it('sends notices at a wake-up, or by the poll of every second without one', async function () {
    const queue = await create();
    const { database: test } = queue;
    const server = await startMailServer();
    const wakeupPublisher = createWakeupPublisher({ ...queue, onError: () => undefined });
    const database = await test.open({ wake: wakeupPublisher.wake });
    const { redisUrl } = queue;
    const worker = await startSender(test, server, redisUrl ? { REDIS_URL: redisUrl } : {});
    try {
      await enqueueNoticesTo(database, ...addresses(3));
      await allSent(test, server);
      await eventually(async () => expect(await queue.jobs()).to.equal(0), 'the wake-up is taken');
      await queue.proxy.refuse();
      await enqueueNoticesTo(database, 'unheard@shop.example');
      await allSent(test, server);
      await queue.proxy.open();
    } finally {
      await worker.end();
      await wakeupPublisher.close();
      await server.close();
      await queue.drop();
    }
  });
});

describe('notices', () => {
  let test: TestDatabase;
  let server: MailServer;
  let worker: WorkerProcess;

  beforeEach(async () => {
    test = await createTestDatabase();
    server = await startMailServer();
    worker = await startSender(test, server);
  });

  afterEach(async () => {
    if (worker.running) await worker.end('SIGKILL');
    await server.close();
    await test.drop();
  });

  it('sends all notices although workers are killed after the claim and around the sending', async function () {
    const database = await test.open();
    const atOnce = 5;

    for (const stage of ['greeting', 'recipient', 'answer'] as const) {
      server.always({ stage, does: 'hang' });

      const before = server.reached(stage);
      await enqueueNoticesTo(database, ...addresses(atOnce));

      await eventually(
        () => expect(server.reached(stage) - before).to.equal(atOnce),
        `five are under way to ${stage}`,
      );

      await worker.end('SIGKILL');

      const [row] = (await noticesOf(test)).filter(({ sent_at }) => sent_at === null);
      expect(row?.lease_token).not.to.equal(null);
      expect(row?.due_in).to.be.within(60, 90);
      server.always(undefined);
      await makeNoticesDue(test);
      worker = await startSender(test, server);
      await allSent(test, server);
    }

    // Those that the server had read and not answered for came twice, as the same mails.
    const acked = (await noticesOf(test)).length;
    const received = messageIdsOf(server.mails);
    const duplicates = received.length - new Set(received).size;
    report(
      'kill -9 of who sends notices',
      { redisUrl: undefined },
      {
        acked,
        received: received.length,
        lost: acked - new Set(received).size,
        duplicates,
      },
    );

    expect(duplicates).to.equal(atOnce);
  });

  it('keeps notices while the mail server is unreachable, and sends them when it is back', async function () {
    const { port } = server;
    await server.close();
    await enqueueNoticesTo(await test.open(), ...addresses(8));
    await eventually(async () => {
      const attempts = (await noticesOf(test)).map((row) => row.attempts);
      expect(Math.min(...attempts)).to.be.greaterThan(0);
    }, 'sending each has failed');
    server = await startMailServer({ port });
    await makeNoticesDue(test);
    await allSent(test, server);
  });

  it('sends no notice for an offer that ended before the mail server came back', async function () {
    const database = await test.open();
    const { id: account } = await database.transact((tx) => createAccount(tx, { name: 'Shop' }));
    const offerTo = (recipientEmail: string) =>
      database.transact(async (tx) => {
        const lineItems = [{ name: 'Tea', quantity: 1, unitAmountMinorUnits: 300 }];
        const input = { recipientEmail, title: 'Tea', currency: 'EUR', lineItems };
        const { id } = await createOffer(tx, account, input);
        await sendOffer(tx, account, id);
        return id;
      });

    const { port } = server;

    await server.close();

    const cancelled = await offerTo('cancelled@shop.example');
    const expired = await offerTo('expired@shop.example');
    const accepted = await offerTo('accepted@shop.example');

    await offerTo('open@shop.example');

    await eventually(async () => {
      const attempts = (await noticesOf(test)).map((row) => row.attempts);
      expect(Math.min(...attempts)).to.be.greaterThan(0);
    }, 'sending each has failed');

    await database.transact((tx) => cancelOffer(tx, account, cancelled));

    await test.query(
      "update offer set expires_at = date_trunc('milliseconds', now()) where id = $1",
      [expired],
    );

    await database.transact(async (tx) => {
      const checkout = (await openOfferCheckout(tx, accepted)).split('/').at(-1) ?? '';
      await recordPayment(tx, account, { checkout });
    });

    server = await startMailServer({ port });
    await makeNoticesDue(test);

    await eventually(async () => {
      const rows = await noticesOf(test);
      expect(rows.filter((row) => !row.sent_at && !row.refused_at)).to.deep.equal([]);
    }, 'all are settled');

    expect(server.mails.map(({ to }) => to[0])).to.deep.equal(['open@shop.example']);

    const refused = (await noticesOf(test)).filter((row) => row.refused_at !== null);
    expect(refused.map((row) => row.last_error)).to.deep.equal(
      Array(3).fill('the offer is no longer open'),
    );

    await eventually(() => {
      const logLines = worker.lines.filter((line) => line.includes('"reason":"offer_closed"'));
      expect(logLines).to.have.length(3);
    }, 'the log says so');
  });
});
