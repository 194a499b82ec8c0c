import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type Answer, DashboardClient, startDashboard } from '../../support/dashboard.js';
import { hashAddress } from '../../../src/domain/session/sign-in-links.js';
import { SignIn } from '../../support/sign-in.js';

describe('signing in to the dashboard', () => {
  let test: TestDatabase;
  let database: Database;
  let sign: SignIn;
  let server: Awaited<ReturnType<typeof startDashboard>>;
  let member: string;
  let browser: DashboardClient;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    sign = new SignIn(test, database);
    server = await startDashboard(database);
  });

  after(async () => {
    await server.close();
    await test.drop();
  });

  let network = 0;
  beforeEach(async () => {
    await test.query('truncate notice, sign_in_link, session');
    await test.query('update member set email = id || email');
    member = await sign.member(await sign.account(), 'ann@shop.example');
    // Each test comes from a network of its own, which has its own limits.
    network += 1;
    browser = browserFrom(`192.0.${network}.1`);
  });

  const browserFrom = (address: string) =>
    new DashboardClient(server.address, {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
    });

  const ask = (from = browser, email = 'ann@shop.example') =>
    from.send('POST', '/session/link', { email });
  const openSessions = async () =>
    (await test.query<{ id: string }>('select id from session')).map(({ id }) => id);

  it('H94: sends Strict-Transport-Security where the service has TLS, for this host alone', async () => {
    const secure = await startDashboard(database, { origin: 'https://hooks.example' });
    for (const path of ['/sign-in', '/session/nothing']) {
      const { headers } = await new DashboardClient(secure.address).send('GET', path);
      expect(headers['strict-transport-security']).to.equal('max-age=31536000');
    }
    await secure.close();
    const { headers } = await browser.send('GET', '/sign-in');
    expect(headers).not.to.have.property('strict-transport-security');
  });

  it('H166: answers alike for every address, and signs in with the link of the mail', async () => {
    const known = await ask();
    const unknown = await ask(browserFrom('192.0.2.99'), 'eve@x.example');
    const seen = ({ status, headers, text }: Answer) => ({
      status,
      text,
      names: Object.keys(headers),
      cookie: String(headers['set-cookie']).replace(/=[0-9A-Za-z]{43}/, ''),
    });

    expect(known.status).to.equal(202);
    expect(seen(known)).to.deep.equal(seen(unknown));

    const { token } = await sign.mail();
    const opened = await browser.send('POST', '/session', { token });
    expect(opened.status, opened.text).to.equal(200);

    const [cookie] = [opened.headers['set-cookie']].flat();
    expect(cookie).to.match(
      /^signalpost-session-[0-9a-f]{8}=[0-9A-Za-z]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    expect(await openSessions()).to.have.length(1);
    expect((await browser.send('POST', '/session', { token })).code).to.equal('link_expired');
  });

  it('H166: refuses a stolen link in another browser, and lets its owner use it', async () => {
    await ask();
    const { token } = await sign.mail();
    const thief = browserFrom('192.0.3.99');
    const stolen = await thief.send('POST', '/session', { token });
    expect([stolen.status, stolen.code]).to.deep.equal([409, 'other_browser']);
    await ask(thief, 'thief@x.example');
    expect((await thief.send('POST', '/session', { token })).status).to.equal(409);
    expect((await browser.send('POST', '/session', { token })).status).to.equal(200);
  });

  it('H166: refuses a link that is too old with 410', async () => {
    await ask();
    await test.query('update sign_in_link set expires_at = now()');
    const { token } = await sign.mail();
    const old = await browser.send('POST', '/session', { token });
    expect([old.status, old.code]).to.deep.equal([410, 'link_expired']);
    expect(await openSessions()).to.deep.equal([]);
  });

  it('H167: accepts the code on the waiting page, after at most five wrong ones', async () => {
    await ask();

    const { code } = await sign.mail();
    const other = await browserFrom('192.0.4.99').send('POST', '/session', { code });
    expect([other.status, other.code]).to.deep.equal([409, 'other_browser']);

    for (let tries = 0; tries < 5; tries += 1) {
      const wrong = await browser.send('POST', '/session', { code: 'ZZZZ-ZZZZ' });
      expect(wrong.status).to.equal(422);
      expect(JSON.parse(wrong.text)).to.have.nested.property('errors[0].param', 'code');
    }

    const sixth = await browser.send('POST', '/session', { code });
    expect([sixth.status, sixth.code]).to.deep.equal([410, 'link_expired']);
    await ask();

    const later = (await sign.mails()).find((mail) => mail.code !== code);
    expect((await browser.send('POST', '/session', { code: later?.code })).status).to.equal(200);
  });

  it('signs in with a printed link in any browser', async () => {
    const token = await sign.printed(member);
    expect((await browser.send('POST', '/session', { token })).status).to.equal(200);
  });

  it('H168: creates a new cookie at sign-in, and ignores the one that the browser sent', async () => {
    const token = await sign.printed(member);
    const planted = 'p'.repeat(43);

    await browser.send('POST', '/session', { token });

    const [name = ''] = browser.cookies.keys();
    const first = browser.cookies.get(name) ?? '';

    browser.cookies.set(name, planted);
    await browser.send('POST', '/session', { token: await sign.printed(member) });
    expect(browser.cookies.get(name)).not.to.be.oneOf([planted, first]);

    const before = await openSessions();
    await browser.send('POST', '/session', { token: await sign.printed(member) });

    const after = await openSessions();
    expect(after).to.have.length(before.length);
    expect(after).not.to.have.members(before);
  });

  it('H168: ends the session when its member signs out', async () => {
    await browser.send('POST', '/session', { token: await sign.printed(member) });
    const cookies = new Map(browser.cookies);
    const out = await browser.send('DELETE', '/session');
    expect(out.status).to.equal(204);
    expect(out.headers['set-cookie']).to.include('Max-Age=0');
    expect(browser.cookies.size).to.be.lessThan(cookies.size);
    expect(await openSessions()).to.deep.equal([]);
    expect((await browser.send('DELETE', '/session')).status).to.equal(204);
  });

  const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'another site': { 'sec-fetch-site': 'cross-site' },
    'another host of the site': { 'sec-fetch-site': 'same-site' },
    'another origin': { origin: 'https://evil.example' },
    'a client that does not say': {},
    'the address bar': { 'sec-fetch-site': 'none' },
  };
  for (const [from, headers] of Object.entries(foreign)) {
    it(`H169: refuses what ${from} sends`, async () => {
      const other = new DashboardClient(server.address, headers);
      const token = await sign.printed(member);
      const replies = [
        await other.send('POST', '/session/link', { email: 'ann@shop.example' }),
        await other.send('POST', '/session', { token }),
        await other.send('DELETE', '/session'),
      ];
      expect(replies.map(({ status }) => status)).to.deep.equal([403, 403, 403]);
      expect(replies.map(({ headers: sent }) => sent['set-cookie'])).to.deep.equal(
        Array(3).fill(undefined),
      );
    });
  }

  it('H169: accepts an older browser that sends only an Origin', async () => {
    const older = new DashboardClient(server.address, { origin: server.origin });
    const token = await sign.printed(member);
    expect((await older.send('POST', '/session', { token })).status).to.equal(200);
  });

  it('H169: refuses forms, plain texts and bodies of another shape', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      const sent = await browser.send('POST', '/session', '{"token":"x"}', {
        'content-type': type,
      });
      expect(sent.status, type).to.equal(415);
    }

    expect((await browser.send('POST', '/session', '{"token":"x"}')).status).to.equal(415);

    const bodies = [{}, { token: 1 }, { token: 'x', code: 'y' }, { other: 'x' }, []];
    for (const body of bodies) {
      const sent = await browser.send('POST', '/session', body);
      expect(sent.status, JSON.stringify(body)).to.equal(422);
    }

    expect((await browser.send('PUT', '/session', {})).status).to.equal(405);
    expect((await browser.send('GET', '/session')).headers['allow']).to.equal(
      'POST, DELETE, OPTIONS',
    );
  });

  it('H166: limits the links of an address and of a client', async () => {
    for (let times = 0; times < 3; times += 1) expect((await ask()).status).to.equal(202);
    const fourth = await ask();
    expect(fourth.status).to.equal(429);
    expect(Number(fourth.headers['retry-after'])).to.be.within(1, 900);
    expect(fourth.text).to.include('Use the latest mail that this browser requested');
    const statuses = [];
    for (let times = 0; times < 17; times += 1) {
      statuses.push((await ask(browser, `eve${times}@x.example`)).status);
    }
    expect(statuses).to.deep.equal([...Array<number>(16).fill(202), 429]);
    expect((await ask(browserFrom('198.51.100.1'), 'x@x.example')).status).to.equal(202);
  });

  describe('sign-in while strangers ask for mails to the address', () => {
    /** Networks of strangers, so many that the address gets no more of their mails. */
    const strangersAsk = async (email: string) => {
      const answers = [];
      for (let index = 0; index < 21; index += 1) {
        answers.push(await ask(browserFrom(`203.0.${network}.${index}`), email));
      }
      return answers;
    };

    it('H166: sends a mail to a network that asked little', async () => {
      const busy = browserFrom(`203.0.${network}.1`);
      for (let times = 0; times < 4; times += 1) await ask(busy);
      expect((await ask()).status).to.equal(202);
    });

    it('H166: sends a mail to a browser that has signed in with the address, even after it signed out', async () => {
      await browser.send('POST', '/session', { token: await sign.printed(member) });
      await browser.send('DELETE', '/session');
      const last = (await strangersAsk('ann@shop.example')).at(-1);
      expect(last?.status).to.equal(429);
      expect(last?.text).to.include('a browser that has signed in with this address before');
      const asked = await ask(browser, 'ANN@shop.example');
      expect(asked.status, asked.text).to.equal(202);
    });

    it('H166: accepts the cookie of such a browser for no other address, and no forged one', async () => {
      await browser.send('POST', '/session', { token: await sign.printed(member) });
      await strangersAsk('eve@x.example');
      expect((await ask(browser, 'eve@x.example')).status).to.equal(429);
      const isKnown = (name: string) => name.startsWith('signalpost-known-');
      const name = [...browser.cookies.keys()].find(isKnown) ?? 'missing';
      const value = browser.cookies.get(name) ?? '';
      expect(value).to.have.length.above(100);
      const forger = browserFrom(`203.0.${network}.99`);
      forger.cookies.set(name, `${value.slice(0, -4)}AAAA`);
      await strangersAsk('ann@shop.example');
      expect((await ask(forger)).status).to.equal(429);
    });

    it('H166: refuses an address without a member in the same words', async () => {
      const known = (await strangersAsk('ann@shop.example')).at(-1);
      const unknown = (await strangersAsk('eve@x.example')).at(-1);
      const words = (answer: Answer | undefined) =>
        (JSON.parse(answer?.text ?? '{}') as { detail?: string }).detail;
      expect(words(known)).to.be.a('string').and.equal(words(unknown));
      expect(known?.status).to.equal(429);
    });

    it('H166: does not queue a browser that has signed in with the address behind strangers', async () => {
      const held = await test.hold(
        `select pg_advisory_xact_lock(hashtextextended('sign-in links ' || '${hashAddress('ann@shop.example').toString('hex')}', 0))`,
      );
      await browser.send('POST', '/session', { token: await sign.printed(member) });
      const waiting = [
        ask(browserFrom(`203.0.${network}.7`)),
        ask(browserFrom(`203.0.${network}.7`)),
      ];
      const asked = await ask();
      expect(asked.status, asked.text).to.equal(202);
      await held.release();
      expect((await Promise.all(waiting)).map(({ status }) => status)).to.deep.equal([202, 202]);
    });
  });
});

describe('the cookies of the dashboard', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  it('H168: sends the cookies by TLS to their host only, under the name of the instance', async () => {
    const database = await test.open();
    const servers = [
      await startDashboard(database, { origin: 'https://one.example' }),
      await startDashboard(database, { origin: 'https://two.example' }),
    ];

    const names = [];

    for (const { address } of servers) {
      const asked = await new DashboardClient(address).send('POST', '/session/link', {
        email: 'ann@shop.example',
      });
      const cookie = String(asked.headers['set-cookie']);
      expect(cookie).to.match(/^__Host-.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
      names.push(cookie.split('=')[0]);
    }

    expect(new Set(names).size).to.equal(2);
    await Promise.all(servers.map((server) => server.close()));
  });

  it('sends no cookie over plain HTTP from another machine', async () => {
    const server = await startDashboard(await test.open(), { origin: 'http://shop.example' });
    const asked = await new DashboardClient(server.address).send('POST', '/session/link', {
      email: 'ann@shop.example',
    });
    expect(asked.status).to.equal(403);
    expect(asked.text).to.include('BASE_URL');
    await server.close();
  });
});
