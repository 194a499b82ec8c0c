import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { type NoticeClaim, NoticeClaimer } from '../../../../src/domain/notice/claim.js';
import { enqueueNotices, recordNotice } from '../../../../src/domain/notice/notices.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  moveNoticesBack,
  noticesOf,
  enqueueNoticesFor,
  enqueueOfferNotices,
} from '../../../support/mail.js';

const stranger = 'stranger@shop.example';
const failed = { kind: 'failed', reason: 'x', detail: 'x' } as const;

describe('notices for one recipient (H110)', () => {
  let test: TestDatabase;
  let database: Database;
  let claimer: NoticeClaimer;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  beforeEach(async () => {
    await test.query('truncate notice');
    claimer = new NoticeClaimer(60_000);
  });

  const enqueue = (count: number, account = 'acc_1', to = stranger) =>
    enqueueNoticesFor(database, account, ...Array.from({ length: count }, () => to));
  const claim = (by = claimer) => by.claim(database.transact, 100);

  /** Takes the mails that are due and sends them. */
  async function send(): Promise<NoticeClaim[]> {
    const claims = await claim();
    for (const notice of claims) {
      expect(await recordNotice(database.read, notice, { kind: 'sent' })).to.equal(true);
    }
    return claims;
  }

  const sizes = (claims: readonly NoticeClaim[]) => claims.map(({ entries }) => entries.length);
  const minutes = (count: number) => moveNoticesBack(test, count * 60);

  it('sends the first notice at once, then one mail every 15 minutes, and names each notice once', async () => {
    await enqueue(1);

    const mails = await send();
    expect(sizes(mails)).to.deep.equal([1]);

    for (let count = 0; count < 30; count += 1) {
      await enqueue(10);
      expect(await send()).to.deep.equal([]);
    }

    await minutes(14);
    expect(await send()).to.deep.equal([]);
    await minutes(1.1);
    mails.push(...(await send()));
    expect(sizes(mails)).to.deep.equal([1, 300]);

    const named = mails.flatMap(({ entries }) => entries.map(({ resourceId }) => resourceId));
    expect(named).to.have.length(301);
    expect(new Set(named).size).to.equal(301);
    expect((await noticesOf(test)).filter((row) => row.sent_at === null)).to.deep.equal([]);
  });

  it('notices make one mail when several processes claim at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      await enqueue(20, `acc_${round}`);
      const claimers = Array.from({ length: 4 }, () => new NoticeClaimer(60_000));
      const all = (await Promise.all(claimers.map((claimer) => claim(claimer)))).flat();
      all.push(...(await claim()));
      expect(sizes(all), `round ${round}`).to.deep.equal([20]);
    }
  });

  it('a retried mail has the same notices, and later ones do not join it', async () => {
    await enqueue(3);

    const [first] = await claim();
    await enqueue(2);
    await minutes(16);

    const [again, ...none] = await claim();
    expect(none).to.deep.equal([]);
    expect(again).to.deep.include({ id: first!.id, messageId: first!.messageId });
    expect(again?.notices).to.deep.equal(first?.notices);
    expect(await recordNotice(database.read, first!, { kind: 'sent' })).to.equal(false);
    expect(await recordNotice(database.read, again!, failed)).to.equal(true);
    await minutes(16);

    const [third, ...others] = await send();
    expect(others).to.deep.equal([]);
    expect(third).to.deep.include({ attempts: 1, notices: first!.notices });
    await minutes(16);
    expect(sizes(await send())).to.deep.equal([2]);
  });

  it('notices that waited while a mail was sent go into the next one, with later notices', async () => {
    await enqueue(1);

    const [first] = await claim();
    await minutes(0.1);
    await enqueue(3);
    expect(await claim()).to.deep.equal([]);
    await recordNotice(database.read, first!, { kind: 'sent' });
    await minutes(0.1);
    await enqueue(2);
    expect(await claim()).to.deep.equal([]);
    await minutes(14.85);
    expect(sizes(await send())).to.deep.equal([5]);
    await minutes(15.1);
    expect(await send()).to.deep.equal([]);
  });

  it('groups notices by account, and by address without regard to case', async () => {
    await enqueue(1);
    await enqueue(1, 'acc_1', stranger.toUpperCase());
    await enqueue(4, 'acc_2');
    await enqueue(1, 'acc_1', 'other@shop.example');
    expect(sizes(await send()).toSorted()).to.deep.equal([1, 2, 4]);
  });

  it('H274: groups and limits notices by address, however its domain is spelled', async () => {
    const spellings = ['ops@m\u00fcnchen.example', 'ops@xn--mnchen-3ya.example'];
    for (const spelling of spellings) await enqueue(2, 'acc_1', spelling);
    const [mail, ...others] = await send();
    expect(others).to.deep.equal([]);
    expect(mail?.entries).to.have.length(4);
    for (let number = 2; number <= 30; number += 1) {
      await enqueue(1, `acc_${number}`, spellings[number % 2]);
    }
    expect(await send()).to.have.length(19);
  });

  it('sends a recipient at most 20 mails an hour from all accounts together, and loses no notice', async () => {
    const accounts = Array.from(
      { length: 30 },
      (_, index) => `acc_${String(index).padStart(2, '0')}`,
    );

    for (const account of accounts) await enqueue(2, account);
    expect(await send()).to.have.length(20);
    expect(await send()).to.deep.equal([]);
    await enqueue(1, 'acc_1', 'other@shop.example');
    expect(await send(), 'no other recipient waits').to.have.length(1);
    await minutes(59);
    expect(await send()).to.deep.equal([]);
    await minutes(2);
    expect(sizes(await send())).to.deep.equal(Array.from({ length: 10 }, () => 2));
  });

  it('notices share the limit with mails of offers, which are sent one by one after them', async () => {
    await enqueueOfferNotices(database, 'acc_1', ...Array.from({ length: 25 }, () => stranger));
    expect(sizes(await send())).to.deep.equal(Array.from({ length: 20 }, () => 1));
    await enqueue(3, 'acc_2');
    expect(await send()).to.deep.equal([]);
    await minutes(61);
    expect(sizes(await send())).to.deep.equal([3, 1, 1, 1, 1, 1]);
  });

  it('H110: notices neither wait for mails to sign in nor delay them', async () => {
    const signIn = (count: number) =>
      database.transact((tx) =>
        enqueueNotices(
          tx,
          Array.from({ length: count }, (_, index) => ({
            kind: 'sign_in_link' as const,
            accountId: 'acc_1',
            resourceId: `lnk_${index}`,
            recipient: stranger,
            data: { account: 'Shop', keyId: 'k1', sealed: '' },
          })),
        ),
      );

    await signIn(25);
    expect(await send()).to.have.length(25);
    for (let number = 0; number < 25; number += 1)
      await enqueue(1, `acc_${String(number).padStart(2, '0')}`);
    expect(await send()).to.have.length(20);
    await signIn(1);
    expect(await send()).to.have.length(1);
  });

  it('a failed mail counts once, and postpones later notices', async () => {
    await enqueue(1);

    for (let attempts = 0; attempts < 30; attempts += 1) {
      const [mail, ...others] = await claim();
      expect(others).to.deep.equal([]);
      expect(mail).to.deep.include({ attempts });
      await recordNotice(database.read, mail!, failed);
      if (attempts === 0) await enqueue(1);
      await test.query(
        `update notice set due_at = date_trunc('milliseconds', now()) where attempts > 0`,
      );
    }

    await minutes(16);
    expect(sizes(await send())).to.deep.equal([1]);
    await minutes(16);
    expect(sizes(await send())).to.deep.equal([1]);
  });
});
