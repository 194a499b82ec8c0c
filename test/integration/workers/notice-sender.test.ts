import { expect } from 'chai';
import { pino } from 'pino';
import type { Database } from '../../../src/database/database.js';
import {
  readNoticeBacklog,
  purgeNotices,
  recordNotice,
} from '../../../src/domain/notice/notices.js';
import { NoticeClaimer } from '../../../src/domain/notice/claim.js';
import { engineServerSettings } from '../../../src/domain/delivery/claim.js';
import { createMailer } from '../../../src/mail/mailer.js';
import { WorkerMetrics } from '../../../workers/metrics.js';
import { NoticeSender } from '../../../workers/notices.js';
import { Sealer } from '../../../src/domain/values/sealer.js';
import { createTestDatabase, type TestDatabase, testRules } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { SignIn } from '../../support/sign-in.js';
import {
  type MailServer,
  refuse,
  startMailServer,
  makeNoticesDue,
  noticesOf,
  enqueueNoticesFor,
  enqueueOfferNotices,
  enqueueNoticesTo,
} from '../../support/mail.js';

const address = 'ops@shop.example';

describe('notices', () => {
  let test: TestDatabase;
  let database: Database;
  let server: MailServer;
  let running: NoticeSender[];
  let log: string[];
  let metrics: WorkerMetrics;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await test.query('truncate notice');
    server = await startMailServer();
    running = [];
    log = [];
    metrics = new WorkerMetrics();
  });

  afterEach(async () => {
    await server.close();
    await Promise.all(running.map((sender) => sender.stop()));
  });

  /** One process that sends notices. */
  function start({ read, transact }: Pick<Database, 'read' | 'transact'> = database): NoticeSender {
    const notices = new NoticeSender({
      read,
      transact,
      metrics,
      log: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
      mailer: createMailer({
        smtpUrl: server.url,
        mailFrom: 'signalpost@api.example',
        dataDir: '/nowhere',
        timeoutMs: 30_000,
      }),
    });

    running.push(notices);
    return notices;
  }

  const rows = () => noticesOf(test);
  const only = async () => {
    const [row, ...others] = await rows();
    expect(others).to.deep.equal([]);
    return row!;
  };

  const attempted = (attempts: number) =>
    eventually(async () => {
      const row = await only();
      expect(row.attempts).to.equal(attempts);
      return row;
    }, `${attempts} attempts are recorded`);

  it('sends each notice once, with any number of workers', async () => {
    const recipients = Array.from({ length: 40 }, (_, index) => `ops${index}@shop.example`);
    await enqueueNoticesTo(database, ...recipients);

    const one = start();
    const two = start();
    await Promise.all([one, two, one, two].map((sender) => sender.poll()));
    await server.took(40);

    await eventually(async () => {
      const unsent = (await rows()).filter((row) => row.sent_at === null || row.lease_token);
      expect(unsent).to.deep.equal([]);
    }, 'all are recorded as sent');

    expect(server.taken.map(({ to }) => to[0])).to.have.members(recipients);
    expect(server.connections.most).to.be.at.most(10);

    const ids = server.taken.map(({ headers }) => headers['message-id']?.[0]);
    expect(ids).to.have.members((await rows()).map((row) => row.message_id));
  });

  it('keeps a notice, with one clear line, while no key opens its link, and sends it with the right key', async () => {
    const sign = new SignIn(test, database);
    const account = await sign.account();
    await sign.member(account, 'ann@shop.example');
    await sign.request('ann@shop.example');

    const key = { id: 'k1', key: Buffer.alloc(32, 8) };
    const other = await test.open({
      serverSettings: engineServerSettings,
      rules: testRules({ sealer: new Sealer([key]) }),
    });

    const closed = start(other);

    for (const attempts of [1, 2]) {
      await closed.poll();

      const { last_error, sent_at, refused_at } = await attempted(attempts);
      expect({ last_error, sent_at, refused_at }).to.eql({
        last_error:
          'cannot open the link of a mail to sign in: SECRET_KEY k1 is not the key that sealed it',
        sent_at: null,
        refused_at: null,
      });

      await makeNoticesDue(test);
    }

    const lines = log.map((line) => JSON.parse(line) as { level: number; reason?: string });
    expect(lines.filter(({ level }) => level >= 50)).to.have.lengthOf(1);
    expect(lines.filter(({ reason }) => reason === 'secret_key')).to.have.lengthOf(2);
    expect(log.join()).not.to.match(/Unsupported state|"stack"/);
    await closed.stop();

    await start().poll();
    expect((await server.took(1))[0]?.to).to.deep.equal(['ann@shop.example']);
  });

  it('a poll costs one round trip and no transaction when there are no notices', async () => {
    const transact = () => Promise.reject(new Error('began a transaction'));
    await start({ read: database.read, transact }).poll();
    expect(log.join()).to.not.include('could not claim');
  });

  it('sends a notice as soon as a slot is free', async () => {
    const first = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@shop.example`);
    await enqueueNoticesTo(database, ...first);
    const notices = start();
    server.always({ stage: 'answer', does: 'hang' });
    await notices.poll();
    await eventually(() => expect(server.mails).to.have.length(5), 'every slot is taken');
    server.always(undefined);
    await enqueueNoticesTo(database, 'late@shop.example');
    await notices.poll();
    server.dropHanging();
    expect((await server.took(1))[0]?.to).to.deep.equal(['late@shop.example']);
  });

  it('retries with growing pauses until the server accepts', async () => {
    await enqueueNoticesTo(database, address);

    const notices = start();
    server.script(refuse(450, '4.2.0 greylisted'), refuse(451, '4.3.0 full', 'answer'));
    server.script({ stage: 'answer', does: 'drop' });

    for (const [attempts, pause] of [
      [1, 5],
      [2, 10],
      [3, 20],
    ] as const) {
      const began = performance.now();
      await notices.poll();

      const row = await attempted(attempts);
      const seconds = (performance.now() - began) / 1_000;
      expect(row.due_in).to.be.within(pause - seconds - 0.01, pause + 0.01);
      expect(row).to.include({ sent_at: null, refused_at: null, lease_token: null });
      if (attempts === 1) expect(row.last_error).to.include('greylisted');
      await notices.poll();
      expect((await only()).attempts, 'nothing is sent before it is due').to.equal(attempts);
      await makeNoticesDue(test);
    }

    await notices.poll();

    const row = await attempted(4);
    expect(row.sent_at).to.be.instanceOf(Date);
    expect(row.last_error).to.equal(null);

    const ids = server.mails.map(({ headers }) => headers['message-id']?.[0]);
    expect(ids.length).to.be.within(3, 4);
    expect(new Set(ids)).to.deep.equal(new Set([row.message_id]));
  });

  it('dead-letters a notice whose mailbox does not exist, and sends it once that is corrected', async () => {
    await enqueueNoticesTo(database, address);

    const notices = start();
    server.script(refuse(550, '5.1.1 ops@shop.example is unknown'));
    await notices.poll();

    const row = await attempted(1);
    expect(row.refused_at).to.be.instanceOf(Date);
    expect(row.last_error).to.include('is unknown');
    await makeNoticesDue(test);
    await notices.poll();

    expect(await readNoticeBacklog(database.read)).to.deep.equal({
      pending: 0,
      refused: 1,
      oldestPendingSeconds: 0,
    });

    expect(server.reached('recipient')).to.equal(1);
    expect(await metrics.text()).to.include('signalpost_notices_total{outcome="refused"} 1');
    await test.query(
      `update notice set recipient = 'new@shop.example', refused_at = null, due_at = date_trunc('milliseconds', now())`,
    );
    await notices.poll();
    expect((await server.took(1))[0]?.to).to.deep.equal(['new@shop.example']);
  });

  it('only the holder of the lease records a notice', async () => {
    await enqueueNoticesTo(database, address);
    const [late] = await new NoticeClaimer(60_000).claim(database.transact, 5);
    expect(await new NoticeClaimer(60_000).claim(database.transact, 5)).to.deep.equal([]);
    await makeNoticesDue(test);
    const [next] = await new NoticeClaimer(60_000).claim(database.transact, 5);
    expect(next?.id).to.equal(late?.id);
    const failed = { kind: 'failed', reason: 'x', detail: 'x' } as const;
    expect(await recordNotice(database.read, late!, { kind: 'sent' })).to.equal(false);
    expect((await only()).sent_at).to.equal(null);
    expect(await recordNotice(database.read, next!, failed)).to.equal(true);
    expect(await recordNotice(database.read, next!, { kind: 'sent' })).to.equal(false);
    expect(await only()).to.include({ attempts: 1, sent_at: null });
  });

  it('claims notices of each account in turn, however many one of them has', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `b${index}@shop.example`);
    await enqueueNoticesFor(database, 'acc_b', ...many);
    await enqueueNoticesFor(database, 'acc_a', 'a@shop.example');
    await enqueueNoticesFor(database, 'acc_c', 'c0@shop.example', 'c1@shop.example');
    const claimer = new NoticeClaimer(60_000);
    const entries: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const [claim] = await claimer.claim(database.transact, 1);
      entries.push(claim?.recipient[0] ?? '');
    }
    expect(entries.join('')).to.equal('abcbcbb');
    expect(await claimer.claim(database.transact, 30)).to.have.length(23 - 7);
  });

  it('claims notices of disabled endpoints before those of offers, however long those are due', async () => {
    await enqueueOfferNotices(
      database,
      'acc_1',
      'o0@shop.example',
      'o1@shop.example',
      'o2@shop.example',
    );

    await enqueueNoticesFor(database, 'acc_2', 'e0@shop.example', 'e1@shop.example');

    const claimer = new NoticeClaimer(60_000);
    const entries = async (limit: number) =>
      (await claimer.claim(database.transact, limit)).map(({ kind }) => kind);
    expect(await entries(1)).to.deep.equal(['endpoint_disabled']);
    expect(await entries(2)).to.deep.equal(['endpoint_disabled', 'offer_sent']);
    await enqueueNoticesFor(database, 'acc_3', 'e2@shop.example');
    expect(await entries(9)).to.deep.equal(['endpoint_disabled', 'offer_sent', 'offer_sent']);
  });

  it('claims without reading all pending notices', async () => {
    await enqueueOfferNotices(
      database,
      'acc_1',
      ...Array.from({ length: 2_000 }, (_, index) => `o${index}@shop.example`),
    );

    await enqueueNoticesFor(database, 'acc_2', address);
    await makeNoticesDue(test);

    // What this connection has read and not reported yet: the server's totals hear late of others.
    const reading = {
      name: 'notice_reads',
      text: `select (sum(idx_tup_fetch) + sum(seq_tup_read))::int as reads
               from pg_stat_xact_user_tables where relname = 'notice'`,
    };

    const [claims, reads] = await database.transact(async (tx) => {
      const [before] = await tx.sql<{ reads: number }>(reading, []);
      const claimed = await new NoticeClaimer(60_000).claim((work) => work(tx), 3);
      const [after] = await tx.sql<{ reads: number }>(reading, []);
      return [claimed, after!.reads - before!.reads];
    });

    expect(claims.map(({ accountId }) => accountId)).to.deep.equal(['acc_2', 'acc_1', 'acc_1']);
    expect(reads).to.be.below(50);
  });

  it('records a notice as sent although the database was unreachable when it was sent', async () => {
    await enqueueNoticesTo(database, address);

    let failures = 0;
    const shaky: typeof database.read = {
      ...database.read,
      sql: (statement, values) => {
        if (statement.name !== 'notice_record' || ++failures > 2) {
          return database.read.sql(statement, values);
        }
        return Promise.reject(new Error('Connection terminated'));
      },
    };

    await start({ read: shaky, transact: database.transact }).poll();
    await attempted(1);
    expect(server.taken).to.have.length(1);
    expect(failures).to.equal(3);
  });

  it('sends notices although the claim of another kind failed', async () => {
    await enqueueNoticesTo(database, address);
    await enqueueOfferNotices(database, 'acc_1', 'buyer@shop.example');

    let claims = 0;
    const transact: typeof database.transact = (work, options) =>
      ++claims === 2
        ? Promise.reject(new Error('Connection terminated'))
        : database.transact(work, options);

    const notices = start({ read: database.read, transact });
    await notices.poll();
    await notices.poll();
    expect((await server.took(1))[0]?.to).to.deep.equal([address]);
    expect(log.join()).to.include('could not claim notices');
    await notices.poll();
    await eventually(async () => {
      expect((await rows()).map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
    }, 'both are recorded');
  });

  it('leaves notices to a version that knows their kind', async () => {
    await enqueueNoticesTo(database, address);
    await test.query(`update notice set kind = 'of_tomorrow'`);
    await start().poll();
    expect(await only()).to.include({ attempts: 0, lease_token: null });
  });

  it('counts an internal error when a notice cannot be written, and sends the others', async () => {
    await enqueueNoticesTo(database, address, 'two@shop.example');
    await test.query(`update notice set data = '{}' where recipient = $1`, [address]);
    await start().poll();
    expect((await server.took(1))[0]?.to).to.deep.equal(['two@shop.example']);
    await eventually(async () => {
      expect((await rows()).map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
    }, 'both are recorded');
    expect(await metrics.text()).to.include('signalpost_internal_errors_total 1');
  });

  it('waits for notices in flight when the process stops', async () => {
    await enqueueNoticesTo(database, address);
    const notices = start();
    server.always({ stage: 'answer', does: 'hang' });
    await notices.poll();
    await eventually(() => expect(server.mails).to.have.length(1), 'it is under way');
    const stopped = notices.stop();
    server.dropHanging();
    await stopped;
    expect(await only()).to.include({ attempts: 1, lease_token: null, sent_at: null });
    await notices.poll();
    expect((await only()).attempts).to.equal(1);
  });

  it('names notices in the log by their id, never by the address or the text', async () => {
    await enqueueNoticesTo(database, address, 'two@shop.example', 'three@shop.example');
    server.script(refuse(550, `5.1.1 <${address}> is unknown`), refuse(450, `<${address}> later`));
    await start().poll();
    await eventually(async () => {
      expect((await rows()).map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1]);
    }, 'all are recorded');
    for (const { id } of await rows()) expect(log.join()).to.include(`"notice":"${id}"`);
    expect(log.join()).to.match(/"resource":"whs_\w+","attempt":1,/);
    expect(log.join()).to.match(/"reason":"EENVELOPE RCPT TO 550"/);
    expect(log.join()).not.to.match(/shop\.example/);
  });

  it('purges notices 40 days after they were sent or refused, and never before', async () => {
    const old = 'wrong-old@shop.example';
    const young = 'wrong-young@shop.example';
    await enqueueNoticesTo(
      database,
      'old@shop.example',
      'young@shop.example',
      'owed@shop.example',
      old,
      young,
    );

    await test.query(
      `update notice set created_at = now() - interval '60 days',
              sent_at = case recipient when 'old@shop.example' then now() - interval '41 days'
                                       when 'young@shop.example' then now() - interval '39 days' end,
              refused_at = case recipient when $1 then now() - interval '41 days'
                                          when $2 then now() - interval '39 days' end`,
      [old, young],
    );

    expect(await database.transact((tx) => purgeNotices(tx, 10))).to.equal(2);

    expect((await rows()).map(({ recipient }) => recipient)).to.have.members([
      'young@shop.example',
      'owed@shop.example',
      young,
    ]);

    const { pending, oldestPendingSeconds } = await readNoticeBacklog(database.read);
    expect(pending).to.equal(1);
    expect(oldestPendingSeconds).to.be.within(60 * 86_400 - 1, 60 * 86_400 + 60);
  });
});
