import { expect } from 'chai';
import { apiServerSettings } from '../../../../src/database/address.js';
import type { Database } from '../../../../src/database/database.js';
import { createAccount, createMember } from '../../../../src/domain/account/accounts.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { backfillMailboxes } from '../../../../src/domain/account/backfill-mailboxes.js';
import {
  findPortalSession,
  endPortalSessions,
  keepPortalCookie,
  listPortalSessions,
  openPortalSession,
  purgePortalLinks,
  purgePortalSessions,
} from '../../../../src/domain/portal/portal-sessions.js';
import { createPortalLink, redeemPortalLink } from '../../../../src/domain/portal/portal-links.js';
import {
  findSession,
  purgeLinks,
  purgeSessions,
  openSession,
} from '../../../../src/domain/session/sessions.js';
import { requestLinks } from '../../../../src/domain/session/sign-in-links.js';
import { isLinkOpen, redeemCode, redeemToken } from '../../../../src/domain/session/redeem-link.js';
import {
  bulkFill,
  avoidScansOption,
  disableAutovacuum,
  type Allowance,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
} from '../../../support/plans.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { insertAccount } from '../../../support/engine.js';
import { shortened } from '../../../support/long-run.js';

const email = 'ann@shop.example';
const browser = 'b'.repeat(43);
const asking = (address: string) => ({
  email: address,
  browser,
  networks: ['192.0.2.1'],
  knownBrowser: undefined,
});

for (const state of shortened(['unknown', 'known'], 1)) {
  describe(`signing in beside the many rows of others, ${state} to the planner`, () => {
    let test: TestDatabase;
    /** Of the API. */
    let database: Database;
    let worker: Database;
    let busy: string;
    let shop: string;
    let member: string;
    let big: ReadonlySet<string>;

    before(async () => {
      test = await createTestDatabase(undefined, avoidScansOption);
      await disableAutovacuum(test);

      const open = (settings: Readonly<Record<string, string>>) =>
        test.open({ pool: 1, serverSettings: { ...settings, ...explaining } });
      database = await open(apiServerSettings);
      worker = await open(engineServerSettings);
      busy = await insertAccount(test);
      await bulkFill(test, busy);

      await test.query(
        `insert into session (id, account_id, member_id, token_sha256, user_agent, created_at,
                              last_used_at)
         select 'ses_' || id, account_id, id, sha256(id::bytea), 'Chrome', now() - interval '8 days', now()
           from member where account_id = $1`,
        [busy],
      );

      await test.query(
        `insert into sign_in_link (id, account_id, member_id, token_sha256, code_sha256,
                                   browser_sha256, address_sha256, created_at, expires_at)
         select 'lnk_' || id, account_id, id, sha256(id::bytea), '', sha256(id::bytea), sha256(id::bytea),
                now(), now() from member where account_id = $1`,
        [busy],
      );

      await test.query(
        `insert into portal_session (id, account_id, link_id, member_id, token_sha256,
                                     page_token_sha256, user_agent, created_at, last_used_at)
         select 'pse_' || id, account_id, '', id, sha256(id::bytea), sha256(('p' || id)::bytea),
                'Chrome', now() - interval '8 days', now() from member where account_id = $1`,
        [busy],
      );

      await test.query(
        `insert into portal_link (id, account_id, member_id, token_sha256, created_at, expires_at)
         select 'plk_' || id, account_id, id, sha256(id::bytea), now() - interval '8 days', now()
           from member where account_id = $1`,
        [busy],
      );

      const { transact } = database;
      shop = (await transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
      member = (await transact((tx) => createMember(tx, { account: shop, email, role: 'owner' })))
        .id;
      if (state === 'known') await test.query('analyze');
      big = await bigTables(test);
    });

    after(() => test.drop());

    const reads = async (most: Allowance, work: () => Promise<unknown>) => {
      const plans = await plansOf(work);
      expect(plans).to.have.lengthOf.above(0);
      expect(excessesOf(plans, big, most)).to.deep.equal([]);
    };

    it('regards the tables of sign-in as large', () => {
      const tables = [
        'session',
        'sign_in_link',
        'member',
        'notice',
        'portal_session',
        'portal_link',
      ];
      for (const table of tables) expect([...big].join(' ')).to.include(table);
    });

    it('H166, H168: asks for a link, redeems it and finds a session by indexes', () =>
      reads({ rows: 100, blocks: 200 }, async () => {
        const { transact, read } = database;
        await transact((tx) => requestLinks(tx, asking(email)));
        await transact((tx) => requestLinks(tx, asking('eve@x.example')));
        expect(await isLinkOpen(read, 'lnk_1')).to.equal(false);
        await transact((tx) => redeemToken(tx, 't'.repeat(43), browser));
        await transact((tx) => redeemCode(tx, 'ABCD-EFGH', browser));
        const signing = { userAgent: 'Chrome', replaced: undefined };
        const holder = { linkId: 'lnk_1', accountId: shop, memberId: member };
        const token = await transact((tx) => openSession(tx, holder, signing));
        expect(await findSession(read, token)).to.have.property('viewer');
      }));

    it('H213, H215: makes and redeems a link of the portal, and finds its session by indexes', () =>
      reads({ rows: 100, blocks: 200 }, async () => {
        const { transact, read } = database;
        const { url } = await transact((tx) =>
          createPortalLink(tx, null, shop, { role: 'viewer' }),
        );
        const [, token = ''] = url.split('#');
        const holder = await transact((tx) => redeemPortalLink(tx, shop, token));
        if (!holder) throw new Error('the link opens nothing');

        const signing = { userAgent: 'Chrome', replaced: undefined };
        const tokens = await transact((tx) => openPortalSession(tx, holder, signing));
        expect(await findPortalSession(read, tokens.page)).to.have.property('viewer');
        expect(await transact((tx) => keepPortalCookie(tx, shop, tokens.cookie))).to.equal(true);
        expect(await listPortalSessions(read, shop)).to.have.lengthOf(1);
        await transact((tx) => endPortalSessions(tx, shop));
      }));

    it('the backfill finds addresses without their form by an index, and does not read the others', () =>
      reads({ rows: 10, blocks: 100 }, async () => {
        expect(await worker.transact((tx) => backfillMailboxes(tx, 1_000))).to.equal(0);
        await test.query(
          `insert into member (id, account_id, email, role, created_at)
           values ('mem_form', $1, 'kim@m\u00fcnchen.example', 'viewer', now())`,
          [shop],
        );
        expect(await worker.transact((tx) => backfillMailboxes(tx, 1_000))).to.equal(1);
      }));

    it('purges sessions and links by their age', () =>
      reads({ rows: 1_000, blocks: 6_000 }, async () => {
        expect(await worker.transact((tx) => purgeSessions(tx, 100))).to.equal(100);
        await worker.transact((tx) => purgeLinks(tx, 100));
        expect(await worker.transact((tx) => purgePortalSessions(tx, 100))).to.equal(100);
        expect(await worker.transact((tx) => purgePortalLinks(tx, 100))).to.equal(100);
      }));
  });
}
