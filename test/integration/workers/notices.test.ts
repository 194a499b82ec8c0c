import { expect } from 'chai';
import { pino } from 'pino';
import type { Database } from '../../../src/database/database.js';
import { readNoticeBacklog } from '../../../src/domain/notice/backlog.js';
import { NoticeClaimer } from '../../../src/domain/notice/claim.js';
import { engineServerSettings } from '../../../src/domain/delivery/claim.js';
import { forgetNotices } from '../../../src/domain/notice/forget.js';
import { settleNotice } from '../../../src/domain/notice/settle.js';
import { createMailer } from '../../../src/mail/create-mailer.js';
import { WorkerMetrics } from '../../../workers/metrics.js';
import { Notices } from '../../../workers/notices.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { type MailServer, refuse, startMailServer } from '../../support/mail-server.js';
import { makeNoticesDue, noticesOf, oweOf, oweOffers, oweTo } from '../../support/notices.js';

const address = 'ops@shop.example';

describe('notices', () => {
  let test: TestDatabase;
  let database: Database;
  let server: MailServer;
  let running: Notices[];
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
    await Promise.all(running.map((each) => each.stop()));
  });

  /** One process that sends notices. */
  function start({ read, transact }: Pick<Database, 'read' | 'transact'> = database): Notices {
    const notices = new Notices({
      ...{ read, transact },
      metrics,
      log: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
      mailer: createMailer({
        smtpUrl: server.url,
        mailFrom: 'signalpost@api.example',
        dataDir: '/nowhere',
        timeoutMs: 1_000,
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

  it('are sent, each once, however many there are and whoever looks', async () => {
    const recipients = Array.from({ length: 40 }, (_, index) => `ops${index}@shop.example`);
    await oweTo(database, ...recipients);
    const [one, two] = [start(), start()];
    await Promise.all([one, two, one, two].map((each) => each.look()));
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

  it('that find every slot taken are sent as soon as one is free', async () => {
    const first = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@shop.example`);
    await oweTo(database, ...first);
    const notices = start();
    server.always({ stage: 'answer', does: 'hang' });
    await notices.look();
    await eventually(() => expect(server.mails).to.have.length(5), 'every slot is taken');
    server.always(undefined);
    await oweTo(database, 'late@shop.example');
    await notices.look();
    expect((await server.took(1))[0]?.to).to.deep.equal(['late@shop.example']);
  });

  it('that a server does not take are sent later, with pauses that grow, until it does', async () => {
    await oweTo(database, address);
    const notices = start();
    server.script(refuse(450, '4.2.0 greylisted'), refuse(451, '4.3.0 full', 'answer'));
    server.script({ stage: 'answer', does: 'drop' });
    for (const [attempts, pause] of [
      [1, 5],
      [2, 10],
      [3, 20],
    ] as const) {
      await notices.look();
      const row = await attempted(attempts);
      expect(row.due_in).to.be.within(pause - 2, pause + 0.01);
      expect(row).to.include({ sent_at: null, refused_at: null, lease_token: null });
      if (attempts === 1) expect(row.last_error).to.include('greylisted');
      await notices.look();
      expect((await only()).attempts, 'nothing is sent before it is due').to.equal(attempts);
      await makeNoticesDue(test);
    }
    await notices.look();
    const row = await attempted(4);
    expect(row.sent_at).to.be.instanceOf(Date);
    expect(row.last_error).to.equal(null);
    const ids = server.mails.map(({ headers }) => headers['message-id']?.[0]);
    expect(ids.length).to.be.within(3, 4);
    expect(new Set(ids)).to.deep.equal(new Set([row.message_id]));
  });

  it('whose mailbox does not exist are parked, visible, and sent once they are put right', async () => {
    await oweTo(database, address);
    const notices = start();
    server.script(refuse(550, '5.1.1 ops@shop.example is unknown'));
    await notices.look();
    const row = await attempted(1);
    expect(row.refused_at).to.be.instanceOf(Date);
    expect(row.last_error).to.include('is unknown');
    await makeNoticesDue(test);
    await notices.look();
    expect(await readNoticeBacklog(database.read)).to.deep.equal({
      owed: 0,
      refused: 1,
      oldestOwedSeconds: 0,
    });
    expect(server.reached('recipient')).to.equal(1);
    expect(await metrics.text()).to.include('signalpost_notices_total{outcome="refused"} 1');
    await test.query(
      `update notice set recipient = 'new@shop.example', refused_at = null, due_at = date_trunc('milliseconds', now())`,
    );
    await notices.look();
    expect((await server.took(1))[0]?.to).to.deep.equal(['new@shop.example']);
  });

  it('are settled only by the holder of the lease', async () => {
    await oweTo(database, address);
    const [late] = await new NoticeClaimer(60_000).claim(database.transact, 5);
    expect(await new NoticeClaimer(60_000).claim(database.transact, 5)).to.deep.equal([]);
    await makeNoticesDue(test);
    const [next] = await new NoticeClaimer(60_000).claim(database.transact, 5);
    expect(next?.id).to.equal(late?.id);
    const failed = { kind: 'failed', reason: 'x', detail: 'x' } as const;
    expect(await settleNotice(database.read, late!, { kind: 'sent' })).to.equal(false);
    expect((await only()).sent_at).to.equal(null);
    expect(await settleNotice(database.read, next!, failed)).to.equal(true);
    expect(await settleNotice(database.read, next!, { kind: 'sent' })).to.equal(false);
    expect(await only()).to.include({ attempts: 1, sent_at: null });
  });

  it('are claimed for one account after the other, however much one of them is owed', async () => {
    const many = Array.from({ length: 20 }, (_, each) => `b${each}@shop.example`);
    await oweOf(database, 'acc_b', ...many);
    await oweOf(database, 'acc_a', 'a@shop.example');
    await oweOf(database, 'acc_c', 'c0@shop.example', 'c1@shop.example');
    const claimer = new NoticeClaimer(60_000);
    const told: string[] = [];
    for (let each = 0; each < 7; each += 1) {
      const [claim] = await claimer.claim(database.transact, 1);
      told.push(claim?.recipient[0] ?? '');
    }
    expect(told.join('')).to.equal('abcbcbb');
    expect(await claimer.claim(database.transact, 30)).to.have.length(23 - 7);
  });

  it('of disabled endpoints are claimed before mails of offers, however long those are due', async () => {
    await oweOffers(database, 'acc_1', 'o0@shop.example', 'o1@shop.example', 'o2@shop.example');
    await oweOf(database, 'acc_2', 'e0@shop.example', 'e1@shop.example');
    const claimer = new NoticeClaimer(60_000);
    const told = async (limit: number) =>
      (await claimer.claim(database.transact, limit)).map(({ kind }) => kind);
    expect(await told(1)).to.deep.equal(['endpoint_disabled']);
    expect(await told(2)).to.deep.equal(['endpoint_disabled', 'offer_sent']);
    await oweOf(database, 'acc_3', 'e2@shop.example');
    expect(await told(9)).to.deep.equal(['endpoint_disabled', 'offer_sent', 'offer_sent']);
  });

  it('are claimed without reading all that is owed', async () => {
    await oweOffers(
      database,
      'acc_1',
      ...Array.from({ length: 2_000 }, (_, each) => `o${each}@shop.example`),
    );
    await oweOf(database, 'acc_2', address);
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

  it('are recorded as sent although the database was away when they were', async () => {
    await oweTo(database, address);
    let failures = 0;
    const shaky: typeof database.read = {
      ...database.read,
      sql: (statement, values) => {
        if (statement.name !== 'notice_settle' || ++failures > 2) {
          return database.read.sql(statement, values);
        }
        return Promise.reject(new Error('Connection terminated'));
      },
    };
    await start({ read: shaky, transact: database.transact }).look();
    await attempted(1);
    expect(server.taken).to.have.length(1);
    expect(failures).to.equal(3);
  });

  it('are sent although claiming those of another kind failed', async () => {
    await oweTo(database, address);
    await oweOffers(database, 'acc_1', 'buyer@shop.example');
    let claims = 0;
    const transact: typeof database.transact = (work, options) =>
      ++claims === 2
        ? Promise.reject(new Error('Connection terminated'))
        : database.transact(work, options);
    const notices = start({ read: database.read, transact });
    await notices.look();
    expect((await server.took(1))[0]?.to).to.deep.equal([address]);
    expect(log.join()).to.include('could not claim notices');
    await notices.look();
    await eventually(async () => {
      expect((await rows()).map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
    }, 'both are recorded');
  });

  it('of a kind that this version does not know are left to one that does', async () => {
    await oweTo(database, address);
    await test.query(`update notice set kind = 'of_tomorrow'`);
    await start().look();
    expect(await only()).to.include({ attempts: 0, lease_token: null });
  });

  it('that cannot be written are a fault of the service, and the others are sent', async () => {
    await oweTo(database, address, 'two@shop.example');
    await test.query(`update notice set data = '{}' where recipient = $1`, [address]);
    await start().look();
    expect((await server.took(1))[0]?.to).to.deep.equal(['two@shop.example']);
    await eventually(async () => {
      expect((await rows()).map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
    }, 'both are recorded');
    expect(await metrics.text()).to.include('signalpost_faults_total 1');
  });

  it('that are under way are waited for when the process stops', async () => {
    await oweTo(database, address);
    const notices = start();
    server.always({ stage: 'answer', does: 'hang' });
    await notices.look();
    await eventually(() => expect(server.mails).to.have.length(1), 'it is under way');
    await notices.stop();
    expect(await only()).to.include({ attempts: 1, lease_token: null, sent_at: null });
    await notices.look();
    expect((await only()).attempts).to.equal(1);
  });

  it('are named in the log by their id, never by the address or the text', async () => {
    await oweTo(database, address, 'two@shop.example', 'three@shop.example');
    server.script(refuse(550, `5.1.1 <${address}> is unknown`), refuse(450, `<${address}> later`));
    await start().look();
    await eventually(async () => {
      expect((await rows()).map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1]);
    }, 'all are recorded');
    for (const { id } of await rows()) expect(log.join()).to.include(`"notice":"${id}"`);
    expect(log.join()).to.match(/"reason":"EENVELOPE RCPT TO 550"/);
    expect(log.join()).not.to.match(/shop\.example/);
  });

  it('are forgotten 40 days after they were sent or refused, and never before', async () => {
    const [old, young] = ['wrong-old@shop.example', 'wrong-young@shop.example'];
    await oweTo(
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
    expect(await database.transact((tx) => forgetNotices(tx, 10))).to.equal(2);
    expect((await rows()).map(({ recipient }) => recipient)).to.have.members([
      'young@shop.example',
      'owed@shop.example',
      young,
    ]);
    const { owed, oldestOwedSeconds } = await readNoticeBacklog(database.read);
    expect(owed).to.equal(1);
    expect(oldestOwedSeconds).to.be.within(60 * 86_400 - 1, 60 * 86_400 + 60);
  });
});
