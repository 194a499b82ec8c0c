import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createCredential } from '../../../../src/domain/account/credentials.js';
import { printLink, linksOfIdentity } from '../../../../src/domain/session/sign-in-links.js';
import { makeSecretToken } from '../../../../src/domain/session/secret-tokens.js';
import { purgeLinks } from '../../../../src/domain/session/sessions.js';
import { isLinkOpen } from '../../../../src/domain/session/redeem-link.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { refusalOf } from '../../../support/refusal.js';
import { browser, SignIn } from '../../../support/sign-in.js';

describe('links to sign in', () => {
  let test: TestDatabase;
  let database: Database;
  let sign: SignIn;
  let account: string;
  let member: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    sign = new SignIn(test, database);
  });

  after(() => test.drop());

  beforeEach(async () => {
    await test.query('truncate notice, sign_in_link, session');
    await test.query('update member set email = id || email');
    account = await sign.account();
    member = await sign.member(account, 'ann@shop.example');
  });

  it('H166: a link signs the member in once, even when it is used twice at once', async () => {
    expect(await sign.request('Ann@Shop.example')).to.equal(true);

    const mail = await sign.mail();
    expect(mail.to).to.equal('ann@shop.example');
    expect(mail.url).to.match(/\/dashboard\/sign-in#[0-9A-Za-z]{43}$/);

    const results = await Promise.all([
      sign.byToken(mail.token, browser),
      sign.byToken(mail.token, browser),
    ]);

    const [link] = await test.query<{ id: string }>('select id from sign_in_link');
    expect(results).to.have.deep.members([
      { linkId: link!.id, accountId: account, memberId: member },
      { refused: 'link_expired' },
    ]);

    expect(await sign.byCode(mail.code)).to.deep.equal({ refused: 'link_expired' });
  });

  it('H166: stores a link as hashes, and seals its notice', async () => {
    await sign.request('ann@shop.example');
    const { token, code } = await sign.mail();
    const [row] = await test.query<{ text: string }>(
      `select (select json_agg(l)::text from sign_in_link l)
           || (select json_agg(n)::text from notice n) as text`,
    );
    expect(row?.text).not.to.include(token).and.not.to.include(code);
    expect(row?.text).not.to.include(browser);
  });

  it('H166: a link opens nothing in another browser, and stays unused', async () => {
    await sign.request('ann@shop.example');
    const { token } = await sign.mail();
    for (const other of ['c'.repeat(43), undefined]) {
      const found = await sign.byToken(token, other);
      expect(found).to.deep.equal({ refused: 'other_browser' });
    }
    expect(await sign.byToken(token, browser)).to.include({ memberId: member });
  });

  it('H166: a link ends after 15 minutes, and its mail is no longer worth sending', async () => {
    await sign.request('ann@shop.example');
    const [link] = await test.query<{ id: string }>('select id from sign_in_link');
    expect(await isLinkOpen(database.read, link!.id)).to.equal(true);
    const [row] = await test.query<{ lifetime: string }>(
      'select (expires_at - created_at)::text as lifetime from sign_in_link',
    );
    expect(row?.lifetime).to.equal('00:15:00');
    await test.query('update sign_in_link set expires_at = now()');
    const { token, code } = await sign.mail();
    expect(await sign.byToken(token, browser)).to.deep.equal({ refused: 'link_expired' });
    expect(await sign.byCode(code)).to.deep.equal({ refused: 'link_expired' });
    expect(await isLinkOpen(database.read, link!.id)).to.equal(false);
  });

  it('a token that never existed opens nothing', async () => {
    for (const token of ['x'.repeat(43), '', "' or true --"]) {
      expect(await sign.byToken(token, browser)).to.deep.equal({ refused: 'link_expired' });
    }
  });

  it('H166: one mail has a link for each account of the address', async () => {
    const other = await sign.account('Other');
    const second = await sign.member(other, 'ANN@shop.example', 'viewer');

    await sign.request('ann@shop.example');
    expect(await test.query('select id from notice')).to.have.length(1);

    const [one, two] = await sign.mails();
    const links = await test.query<{ linkId: string; accountId: string; memberId: string }>(
      'select id as "linkId", account_id as "accountId", member_id as "memberId" from sign_in_link',
    );
    expect(links.map(({ memberId }) => memberId)).to.have.members([member, second]);

    expect([
      await sign.byToken(one!.token, browser),
      await sign.byCode(two!.code),
    ]).to.have.deep.members(links);
  });

  it('H166: sends the mail for the other accounts when the first one removes the address', async () => {
    await sign.member(await sign.account('Other'), 'ann@shop.example');
    await sign.request('ann@shop.example');

    const { link } = (
      await test.query<{ link: string }>('select resource_id as link from notice')
    )[0]!;
    const remove = (which: string) =>
      test.query(
        `delete from member m using sign_in_link l where m.id = l.member_id and (l.id = $1) = ${which}`,
        [link],
      );

    await remove('true');
    expect(await isLinkOpen(database.read, link)).to.equal(true);
    await remove('false');
    expect(await isLinkOpen(database.read, link)).to.equal(false);
  });

  it('H166: an address without a member costs the same, and is refused the same', async () => {
    expect(await sign.request('eve@shop.example')).to.equal(true);
    expect(await sign.mails()).to.deep.equal([]);
    expect(await sign.byCode('ABCD-EFGH')).to.deep.equal({ refused: 'wrong_code', triesLeft: 4 });
    await database.transact((tx) => createCredential(tx, { account, kind: 'live' }));
    await sign.request(`owner@${account.replace('_', '-').toLowerCase()}.invalid`);
    expect(await sign.mails()).to.deep.equal([]);
  });

  it('H166: mails links at most three times in 15 minutes, whether or not the address has a member', async () => {
    for (const email of ['ann@shop.example', 'eve@shop.example']) {
      const asked = [];
      for (const from of ['1', '2', '3', '4'])
        asked.push(await sign.request(email, from.repeat(43)));
      expect(asked).to.deep.equal([true, true, true, false]);
      expect(await sign.request(email.toUpperCase())).to.equal(false);
    }
    expect(await sign.mails()).to.have.length(3);
    await test.query(`update sign_in_link set created_at = now() - interval '901 seconds'`);
    expect(await sign.request('ann@shop.example')).to.equal(true);
  });

  it('H166: removing and adding an address again allows no further mails', async () => {
    for (const from of ['1', '2', '3']) {
      expect(await sign.request('ann@shop.example', from.repeat(43))).to.equal(true);
      await test.query('delete from member where account_id = $1', [account]);
      await sign.member(account, 'ann@shop.example');
    }
    const [first] = await sign.mails();
    expect(await sign.byToken(first!.token, '1'.repeat(43))).to.deep.equal({
      refused: 'link_expired',
    });
    expect(await sign.request('ann@shop.example')).to.equal(false);
  });

  it('H166: strangers may request twenty mails an hour, the last ten from networks that requested few', async () => {
    const asked = async (network: string) =>
      sign.request('ann@shop.example', makeSecretToken(), { networks: [network] });
    const many = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    const results = [];

    for (const network of many) {
      for (let times = 0; times < 3; times += 1) results.push(await asked(network));
    }

    expect(results).to.deep.equal([...Array<boolean>(10).fill(true), false, false]);

    for (let count = 0; count < 10; count += 1) {
      expect(await asked(`198.51.100.${count}`), `network ${count}`).to.equal(true);
      expect(await asked(`198.51.100.${count}`), `network ${count} again`).to.equal(false);
    }

    expect(await asked('203.0.113.1')).to.equal(false);
  });

  it('H166: concurrent requests for an address are counted one after the other', async () => {
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        sign.request('ann@shop.example', makeSecretToken(), { networks: [`192.0.2.${index}`] }),
      ),
    );
    expect(asked.filter((sent) => sent)).to.have.length(20);
  });

  it('H166: a browser that signed the address in before does not wait for strangers', async () => {
    for (let count = 0; count < 20; count += 1) {
      const networks = [`192.0.2.${count}`];
      await sign.request('ann@shop.example', makeSecretToken(), { networks });
    }
    expect(await sign.refusal('ann@shop.example')).to.include({ limit: 'address' });
    const known = { knownBrowser: 'k'.repeat(43) };
    const asked = [];
    for (const from of ['1', '2', '3', '4'])
      asked.push(await sign.request('ann@shop.example', from.repeat(43), known));
    expect(asked).to.deep.equal([true, true, true, false]);
    const other = { knownBrowser: 'o'.repeat(43) };
    expect(await sign.request('ann@shop.example', makeSecretToken(), other)).to.equal(true);
  });

  describe('a link of an address that ten strange accounts have added', () => {
    it("H249: a link leads to the member's own account although it came later than strange ones", async () => {
      await sign.tenAccountsAdd('bea@shop.example');
      const own = await sign.account('Own');
      await sign.member(own, 'bea@shop.example');
      await sign.request('bea@shop.example');
      const tokens = (await sign.mails()).map(({ token }) => token);
      expect(tokens).to.have.length(10);
      expect(await sign.accountsOf(tokens)).to.include(own);
    });

    it('H249: the first link leads to the account that the person used last', async () => {
      const older = await sign.account('Older');
      const own = await sign.account('Own');
      for (const account of [older, own]) {
        await sign.session(account, await sign.member(account, 'cy@shop.example'));
      }
      await sign.tenAccountsAdd('cy@shop.example');
      await sign.request('cy@shop.example');
      const [first, second] = await sign.mails();
      expect(await sign.accountsOf([first!.token])).to.deep.equal([own]);
      expect(await sign.accountsOf([second!.token])).to.deep.equal([older]);
    });

    it('H249: the next mail has links to the accounts that the first one left out', async () => {
      const own = await sign.account('Own');
      await sign.member(own, 'dan@shop.example');
      await sign.tenAccountsAdd('dan@shop.example');
      await sign.request('dan@shop.example', '1'.repeat(43));
      await test.query('truncate notice');
      await sign.request('dan@shop.example', '2'.repeat(43));
      const tokens = (await sign.mails()).map(({ token }) => token);
      expect(await sign.accountsOf(tokens)).to.include(own);
    });

    it('H249: a link still leads to the person’s own account when others keep removing and adding the address', async () => {
      const own = await sign.account('Own');
      await sign.member(own, 'hal@shop.example');
      await sign.tenAccountsAdd('hal@shop.example');

      for (const from of ['1', '2', '3']) {
        await test.query('truncate notice');
        await sign.request('hal@shop.example', from.repeat(43));

        const tokens = (await sign.mails()).map(({ token }) => token);
        const accounts = await sign.accountsOf(tokens);

        if (from !== '1') expect(accounts, `mail ${from}`).to.include(own);

        for (const account of accounts.filter((other) => other !== own)) {
          await test.query('delete from member where account_id = $1', [account]);
          await sign.member(account, 'hal@shop.example');
        }
      }
    });

    it('H249: two mails have links to all twelve accounts of a member', async () => {
      const own = [];
      for (let count = 0; count < 12; count += 1) {
        const account = await sign.account();
        own.push(account);
        await sign.session(account, await sign.member(account, 'fay@shop.example'));
      }
      await sign.tenAccountsAdd('fay@shop.example');
      for (const from of ['1', '2']) await sign.request('fay@shop.example', from.repeat(43));
      const tokens = (await sign.mails()).map(({ token }) => token);
      expect(await sign.accountsOf(tokens)).to.include.members(own);
    });

    it('H249: signing in at a provider leads to the person’s own account', async () => {
      await sign.tenAccountsAdd('eli@shop.example');
      const own = await sign.account('Own');
      await sign.member(own, 'eli@shop.example');
      const identity = { issuer: 'https://id.example', subject: 'eli', email: 'eli@shop.example' };
      const links = await database.transact((tx) => linksOfIdentity(tx, identity, browser));
      expect(links.map((link) => link.account)).to.include('Own');
    });

    it('H249: signing in at a provider leads to the person’s own account when the others know another person by the address', async () => {
      const own = await sign.account('Own');
      await sign.member(own, 'gus@shop.example');
      await sign.tenAccountsAdd('gus@shop.example');
      await test.query(
        `insert into member_identity (account_id, member_id, issuer, subject, created_at)
         select account_id, id, 'https://id.example', 'earlier', now() from member
          where email = 'gus@shop.example' and account_id <> $1`,
        [own],
      );
      const identity = { issuer: 'https://id.example', subject: 'gus', email: 'gus@shop.example' };
      const links = await database.transact((tx) => linksOfIdentity(tx, identity, browser));
      expect(links.map((link) => link.account)).to.deep.equal(['Own']);
    });
  });

  it('H274: one mail has links for both spellings of an international domain, whichever was entered', async () => {
    const older = await sign.account('Older');
    const younger = await sign.account('Younger');

    await sign.member(older, 'bea@M\u00fcnchen.example');
    await sign.member(younger, 'bea@xn--mnchen-3ya.example');

    for (const email of ['BEA@xn--mnchen-3ya.example', 'bea@mu\u0308nchen.example']) {
      await test.query('truncate notice');
      await sign.request(email, makeSecretToken());
      const tokens = (await sign.mails()).map(({ token }) => token);
      expect(await sign.accountsOf(tokens), email).to.have.members([older, younger]);
    }

    const identity = {
      issuer: 'https://id.example',
      subject: 'bea',
      email: 'bea@XN--mnchen-3ya.example',
    };

    const links = await database.transact((tx) => linksOfIdentity(tx, identity, browser));
    expect(links.map((link) => link.account)).to.have.members(['Older', 'Younger']);
  });

  it('H275: one mail has a link for each of two members of one account whose addresses became one', async () => {
    const roles = ['owner', 'viewer'] as const;
    const owner = await sign.member(account, 'bo@b\u00fccher.example', roles[0]);
    const viewer = await sign.member(account, 'bo@xn--bcher-kva.example', roles[1]);
    await sign.request('bo@xn--bcher-kva.example');
    const holders = [];
    for (const { token } of await sign.mails()) holders.push(await sign.byToken(token, browser));
    expect(holders.map((holder) => 'memberId' in holder && holder.memberId)).to.have.members([
      owner,
      viewer,
    ]);
  });

  it('H274: all spellings of an address share its limit of mails, and other addresses do not', async () => {
    const spellings = ['cy@k\u00f6ln.example', 'cy@K\u00d6LN.example', 'CY@xn--kln-sna.example'];
    for (const email of spellings)
      expect(await sign.request(email, makeSecretToken())).to.equal(true);
    expect(await sign.request('cy@k\u00f6ln.example')).to.equal(false);
    await sign.member(account, 'kim@shop.example');
    for (const other of ['\u212aim@shop.example', 'k\u0131m@shop.example']) {
      expect(await sign.request(other, makeSecretToken(), { networks: ['192.0.2.9'] })).to.equal(
        true,
      );
    }
    expect(await sign.mails()).to.deep.equal([]);
  });

  it('H250: mails a link to a person whose address looks like that of a holder', async () => {
    await test.query(`update member set email = 'eve@acc-1.invalid' where id = $1`, [member]);
    await sign.request('eve@acc-1.invalid');
    expect(await sign.mails()).to.have.length(1);
  });

  it('refuses an invalid address, and names it', async () => {
    expect(await refusalOf(sign.request('ann'))).to.deep.include({ code: 'validation_failed' });
  });

  it('H166: a printed link is bound to no browser and has no code', async () => {
    const token = await sign.printed(member);
    expect(await sign.byToken(token, undefined)).to.include({ memberId: member });
    expect(await sign.byToken(token, browser)).to.deep.equal({ refused: 'link_expired' });
    const unknown = database.transact((tx) => printLink(tx, 'mem_0'));
    expect(await refusalOf(unknown)).to.include({ code: 'not_found' });
  });

  it('purges links after an hour', async () => {
    await sign.printed(member);
    await sign.printed(member);
    await test.query(
      `update sign_in_link set created_at = now() - interval '3601 seconds'
        where id = (select min(id) from sign_in_link)`,
    );
    for (const purged of [1, 0]) {
      expect(await database.transact((tx) => purgeLinks(tx, 10))).to.equal(purged);
    }
  });

  describe('a code', () => {
    it('H167: a code signs in the browser that requested it, however it is typed', async () => {
      await sign.request('ann@shop.example');
      const { code } = await sign.mail();
      const typed = ` ${code.toLowerCase().replace('-', ' ')} `;
      expect(await sign.byCode(typed, 'c'.repeat(43))).to.deep.equal({ refused: 'link_expired' });
      expect(await sign.byCode(typed)).to.include({ memberId: member });
    });

    it('H167: refuses the right code after five wrong ones', async () => {
      await sign.request('ann@shop.example');
      const { code, token } = await sign.mail();
      for (let left = 4; left >= 0; left -= 1) {
        expect(await sign.byCode('2222-2222')).to.deep.equal({
          refused: 'wrong_code',
          triesLeft: left,
        });
      }
      expect(await sign.byCode(code)).to.deep.equal({ refused: 'link_expired' });
      expect(await sign.byToken(token, browser)).to.include({ memberId: member });
    });
  });
});
