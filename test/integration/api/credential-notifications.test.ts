import { expect } from 'chai';
import { createAuthenticator, Authenticator } from '../../../src/http/authentication.js';
import type { Database } from '../../../src/database/database.js';
import { NotificationListener } from '../../../src/database/connection.js';
import { changeRole, createAccount } from '../../../src/domain/account/accounts.js';
import {
  createCredential,
  credentialChannel,
  type IssuedCredential,
  revokeCredential,
} from '../../../src/domain/account/credentials.js';
import type { Statement } from '../../../src/domain/transaction/tx.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { createTcpProxy, type TcpProxy } from '../../support/proxies.js';

const address = '192.0.2.1';

describe('the viewers that a process caches', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let proxy: TcpProxy;
  let listener: NotificationListener;

  /** The clock of the authenticator. While it stands still, only an invalidation drops a viewer. */
  let ms: number;
  let authenticator: Authenticator;
  let signals: number;
  let lookUps: number;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ credentialsChanged: () => authenticator.invalidate() });
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
    proxy = await createTcpProxy(Number(new URL(test.url).port));
  });

  after(async () => {
    await proxy.close();
    await test.drop();
  });

  beforeEach(async () => {
    ms = 0;
    signals = 0;
    lookUps = 0;

    authenticator = new Authenticator({
      perMinute: 6_000,
      acquireSlot: () => Promise.resolve(() => undefined),
      now: () => ms,
    });

    const throughProxy = new URL(test.url);
    throughProxy.port = String(proxy.port);

    listener = new NotificationListener({
      url: throughProxy.href,
      channels: {
        [credentialChannel]: () => {
          signals += 1;
          authenticator.invalidate();
        },
      },
      onError: () => undefined,
    });

    await eventually(() => expect(signals).to.equal(1), 'the listener listens');
  });

  afterEach(() => listener.close());

  it('keeps a viewer when its credential is used: the use is recorded but not notified', async () => {
    const issued = await issue();
    const lastUse = async () => {
      const [row] = await test.query<{ at: Date | null }>(
        'select last_used_at as at from credential where id = $1',
        [issued.id],
      );
      return row?.at ?? null;
    };

    expect(await lastUse()).to.equal(null);
    await ask(issued);
    await eventually(async () => expect(await lastUse()).to.not.equal(null), 'its use is noted');

    // A change that is notified comes after the use, so the use would have been notified by then.
    await test.query('update credential set revoked_at = now() where id = $1', [issued.id]);
    await eventually(() => expect(signals).to.equal(2), 'the revocation is notified');
  });

  const issue = (owner = account): Promise<IssuedCredential> =>
    database.transact((tx) => createCredential(tx, { account: owner, kind: 'dashboard' }));

  /** What the process takes the holder of a token for: the levels of a viewer, or a refusal. */
  async function ask({ token }: IssuedCredential): Promise<string> {
    const read = {
      ...database.read,
      sql: <Row>(statement: Statement, values: readonly unknown[]) => {
        if (statement.name === 'credential-by-hash') lookUps += 1;
        return database.read.sql<Row>(statement, values);
      },
    };
    const viewer = await authenticator.authenticate(read, address, token);
    if (typeof viewer === 'string') return viewer;
    return `${viewer.permissions.webhooks} ${viewer.permissions.orders}`;
  }

  const changes: Readonly<Record<string, { sql: string; then: string }>> = {
    'is revoked': {
      sql: 'update credential set revoked_at = now() where id = $1',
      then: 'revoked_credential',
    },
    'gets another expiry': {
      sql: `update credential set expires_at = now() - interval '1 minute' where id = $1`,
      then: 'expired_credential',
    },
    'gets another level': {
      sql: `update credential set level = 'read' where id = $1`,
      then: 'read read',
    },
    'has a holder with another role': {
      sql: `update member set role = 'accountant'
             where id = (select member_id from credential where id = $1)`,
      then: 'none read',
    },
    'is deleted': { sql: 'delete from credential where id = $1', then: 'invalid_credential' },
  };
  for (const [what, { sql, then }] of Object.entries(changes)) {
    it(`H125: a notification drops a viewer when a credential ${what}, even by hand in SQL`, async () => {
      const credential = await issue();
      for (let times = 0; times < 3; times += 1) {
        expect(await ask(credential)).to.equal('write write');
      }
      expect(lookUps).to.equal(1);
      await test.query(sql, [credential.id]);
      await eventually(async () => expect(await ask(credential)).to.equal(then), 'it is dropped');
    });
  }

  it('H155: a notification drops a viewer when its account is erased, even by hand in SQL', async () => {
    const { id: other } = await database.transact((tx) => createAccount(tx, { name: 'Other' }));
    const credential = await issue(other);
    expect(await ask(credential)).to.equal('write write');
    await test.query('update account set erased_at = now() where id = $1', [other]);
    await eventually(
      async () => expect(await ask(credential)).to.equal('invalid_credential'),
      'it is dropped',
    );
  });

  it('keeps a viewer when a credential is created, or an update changes nothing', async () => {
    const credential = await issue();
    await test.query('update credential set revoked_at = null where id = $1', [credential.id]);
    await test.query('update member set role = role');
    await test.query(`update credential set level = 'read' where id = $1`, [credential.id]);
    await eventually(() => expect(signals).to.equal(2), 'the last change is notified');
  });

  it('H125: the process that commits the change drops the viewer before it answers', async () => {
    await listener.close();

    const revoked = await issue();
    expect(await ask(revoked)).to.equal('write write');
    await database.transact((tx) => revokeCredential(tx, account, revoked.id));
    expect(await ask(revoked)).to.equal('revoked_credential');

    const limited = await issue();
    expect(await ask(limited)).to.equal('write write');

    const [row] = await test.query<{ member: string }>(
      'select member_id as member from credential where id = $1',
      [limited.id],
    );

    await database.transact((tx) => changeRole(tx, account, row?.member ?? '', 'viewer'));
    expect(await ask(limited)).to.equal('read read');
  });

  it('H125: drops a viewer after a second while the connection for notifications is down', async () => {
    const credential = await issue();
    expect(await ask(credential)).to.equal('write write');
    await proxy.refuse();
    try {
      await test.query('update credential set revoked_at = now() where id = $1', [credential.id]);
      ms = 999;
      expect(await ask(credential)).to.equal('write write');
      ms = 1_000;
      expect(await ask(credential)).to.equal('revoked_credential');
    } finally {
      await proxy.open();
    }
  });

  it('H125: drops viewers when that connection is back, for what it missed', async () => {
    const credential = await issue();
    expect(await ask(credential)).to.equal('write write');
    await proxy.refuse();
    await test.query('update credential set revoked_at = now() where id = $1', [credential.id]);
    expect(await ask(credential)).to.equal('write write');
    await proxy.open();
    await eventually(
      async () => expect(await ask(credential)).to.equal('revoked_credential'),
      'it listens again',
    );
  });

  it('looks up a credential once for requests that arrive together', async () => {
    const credential = await issue();
    authenticator = createAuthenticator(6_000);
    const all = await Promise.all(Array.from({ length: 50 }, () => ask(credential)));
    expect(new Set(all)).to.deep.equal(new Set(['write write']));
    expect(lookUps).to.equal(1);
  });
});
