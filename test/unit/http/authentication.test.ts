import { expect } from 'chai';
import type { Read } from '../../../src/domain/transaction/tx.js';
import { Authenticator, TokenCache } from '../../../src/http/authentication.js';
import { ApiError } from '../../../src/http/problems.js';
import type { Viewer } from '../../../src/domain/account/credentials.js';

const address = '192.0.2.1';
const row = { id: 'crd_1', kind: 'live', account: 'acc_1', level: 'full', role: 'owner' };
const good = 'sk_live_good';
const other = 'sk_live_other';

describe('Authenticator (H95)', () => {
  let lookUps: number;
  let clock: { ms: number };
  let valid: Set<string>;
  let authenticator: Authenticator;

  /** Who waits, in the order they came, and until when. */
  let waiting: { readonly until: number; readonly go: () => void }[];

  beforeEach(() => {
    lookUps = 0;
    clock = { ms: 1_000_000 };
    waiting = [];
    valid = new Set([good, other]);
    authenticator = make(600);
  });

  // 600 a minute: one each 100 ms, 60 at once.
  function make(perMinute: number): Authenticator {
    return new Authenticator({
      perMinute,
      acquireSlot: () => Promise.resolve(() => undefined),
      now: () => clock.ms,
      wait: (ms) => new Promise<void>((go) => void waiting.push({ until: clock.ms + ms, go })),
    });
  }

  async function ask(token: string, from = address): Promise<string> {
    const read = {
      sql: () => {
        lookUps += 1;
        return Promise.resolve(valid.has(token) ? [row] : []);
      },
    } as unknown as Read;
    try {
      const found = await authenticator.authenticate(read, from, token);
      return typeof found === 'string' ? found : found.account;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      expect(Number(error.headers['Retry-After'])).to.be.within(1, 60);
      return error.code;
    }
  }

  let guessed = 0;
  const guess = (from = address) => ask(`sk_live_wrong${(guessed += 1)}`, from);

  async function guessAll(count: number, from = address): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) await guess(from);
  }

  async function pass(ms: number): Promise<void> {
    clock.ms += ms;
    for (const { until, go } of waiting) if (until <= clock.ms) go();
    waiting = waiting.filter(({ until }) => until > clock.ms);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('looks unknown tokens up at a bounded rate once an address has sent too many wrong ones', async () => {
    await guessAll(60);
    const answers = Array.from({ length: 30 }, () => guess());
    await pass(0);
    expect(lookUps).to.equal(60);
    expect(waiting).to.have.length(10);
    for (let tenths = 1; tenths <= 10; tenths += 1) {
      await pass(100);
      expect(lookUps).to.equal(60 + tenths);
    }
    const codes = await Promise.all(answers);
    expect(codes.filter((code) => code === 'invalid_credential')).to.have.length(10);
    expect(codes.filter((code) => code === 'rate_limit_exceeded')).to.have.length(20);
  });

  it('lets the first use of a valid token wait its turn, and does not count it for its address', async () => {
    await guessAll(60);
    const first = ask(good);
    await pass(99);
    expect(lookUps).to.equal(60);
    await pass(1);
    expect(await first).to.equal('acc_1');
    const second = ask(other);
    await pass(0);
    expect(await second).to.equal('acc_1');
    expect(waiting).to.deep.equal([]);
  });

  it('looks up tokens that were valid within a day without a limit', async () => {
    expect(await ask(good)).to.equal('acc_1');
    await pass(24 * 3_600_000 - 1);
    await guessAll(60);
    for (let count = 0; count < 20; count += 1) void guess();
    lookUps = 0;
    for (let count = 0; count < 5; count += 1) {
      expect(await ask(good)).to.equal('acc_1');
      clock.ms += 1_000;
    }
    expect(lookUps).to.equal(5);
    valid.delete(good);
    expect(await ask(good)).to.equal('invalid_credential');
  });

  it('does not count valid tokens, which all come at once after a restart', async () => {
    for (let count = 0; count < 500; count += 1) valid.add(`sk_live_client${count}`);
    const all = await Promise.all(
      Array.from({ length: 500 }, (_, count) => ask(`sk_live_client${count}`)),
    );
    expect(new Set(all)).to.deep.equal(new Set(['acc_1']));
  });

  it('repeats the refusal of a wrong token for a minute, and never looks up a malformed one', async () => {
    for (let count = 0; count < 200; count += 1) {
      expect(await ask('sk_live_wrong')).to.equal('invalid_credential');
      expect(await ask('nonsense')).to.equal('invalid_credential');
      expect(await ask('sk_test_x')).to.equal('credential_kind_not_accepted');
    }
    expect(lookUps).to.equal(1);
    await pass(60_000);
    expect(await ask('sk_live_wrong')).to.equal('invalid_credential');
    expect(lookUps).to.equal(2);
  });

  it('looks a new token up once, however many requests come with it at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => ask(good)));
    expect(new Set(all)).to.deep.equal(new Set(['acc_1']));
    expect(lookUps).to.equal(1);
  });

  it('counts failures per address, and a /64 of IPv6 as one address', async () => {
    await guessAll(60);
    expect(await ask(good, '192.0.2.2')).to.equal('acc_1');
    await guessAll(30, '2001:db8:1:2::1');
    await guessAll(30, '2001:db8:1:2::2');
    lookUps = 0;
    void guess('2001:db8:1:2:ffff::3');
    await pass(0);
    expect(lookUps).to.equal(0);
    expect(await guess('2001:db8:1:3::1')).to.equal('invalid_credential');
  });

  it('forgets the failures of an address over time', async () => {
    await guessAll(60);
    await pass(6_000);
    lookUps = 0;
    await guessAll(60);
    expect(lookUps).to.equal(60);
  });

  it('says when to retry if a look-up would take longer than clients wait', async () => {
    authenticator = make(20);
    await guessAll(2);
    expect(await guess()).to.equal('rate_limit_exceeded');
    expect(waiting).to.deep.equal([]);
  });
});

describe('Authenticator, the viewers that it keeps', () => {
  let lookUps: number;
  let ms: number;
  let valid: boolean;

  /** Milliseconds from a look-up to the expiry of the token. */
  let validForMs: number | null;

  /** Ends look-ups that hang; undefined while none does. */
  let hanging: (() => void)[] | undefined;
  let authenticator: Authenticator;

  beforeEach(() => {
    lookUps = 0;
    ms = 0;
    valid = true;
    validForMs = null;
    hanging = undefined;
    authenticator = new Authenticator({
      perMinute: 600,
      acquireSlot: () => Promise.resolve(() => undefined),
      now: () => ms,
    });
  });

  const read = {
    sql: async () => {
      lookUps += 1;
      const found = valid ? [{ ...row, validForMs }] : [];
      if (hanging) await new Promise<void>((end) => hanging?.push(end));
      return found;
    },
  } as unknown as Read;

  async function ask(): Promise<string> {
    const found = await authenticator.authenticate(read, '192.0.2.1', good);
    return typeof found === 'string' ? found : found.account;
  }

  async function pass(passed: number): Promise<void> {
    ms += passed;
    await new Promise((resolve) => setImmediate(resolve));
  }

  function endLookUps(): void {
    for (const end of hanging ?? []) end();
    hanging = undefined;
  }

  it('H125: keeps a viewer for a second, counted from the begin of its look-up', async () => {
    hanging = [];
    const first = ask();
    await pass(0);
    await pass(400);
    endLookUps();
    expect(await first).to.equal('acc_1');
    valid = false;
    await pass(599);
    expect(await ask()).to.equal('acc_1');
    expect(lookUps).to.equal(1);
    await pass(1);
    expect(await ask()).to.equal('invalid_credential');
  });

  it('H125: keeps no viewer past the expiry of its token', async () => {
    validForMs = 300;
    expect(await ask()).to.equal('acc_1');
    valid = false;
    await pass(299);
    expect(await ask()).to.equal('acc_1');
    await pass(1);
    expect(await ask()).to.equal('invalid_credential');
  });

  it('H125: looks up again after an invalidation, and keeps nothing that was read before', async () => {
    hanging = [];
    const early = ask();
    await pass(0);
    authenticator.invalidate();
    valid = false;
    const late = ask();
    await pass(0);
    endLookUps();
    expect([await early, await late]).to.deep.equal(['acc_1', 'invalid_credential']);
    expect(await ask()).to.equal('invalid_credential');
  });

  it('shares the look-up of a known token that was kept too long, but not one that hangs', async () => {
    expect(await ask()).to.equal('acc_1');
    await pass(1_000);
    lookUps = 0;
    hanging = [];

    const all = [ask(), ask()];
    await pass(99);
    all.push(ask());
    expect(lookUps).to.equal(1);
    await pass(1);
    all.push(ask());
    expect(lookUps).to.equal(2);
    endLookUps();
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set(['acc_1']));
  });
});

const viewer = { credential: 'ses_1', account: 'acc_1' } as Viewer;

describe('Authenticator, the use of sessions', () => {
  let uses: boolean[];
  let ms: number;
  let authenticator: Authenticator;

  beforeEach(() => {
    uses = [];
    ms = 0;

    authenticator = new Authenticator({
      perMinute: 600,
      acquireSlot: () => Promise.resolve(() => undefined),
      now: () => ms,
      lookUp: {
        refuseFormat: () => undefined,
        find: (_read, _token, _hash, isUse) => {
          uses.push(isUse);
          return Promise.resolve({ viewer, validForMs: Infinity });
        },
      },
    });
  });

  const ask = (isUse: boolean) => authenticator.authenticate({} as Read, '192.0.2.1', 'x', isUse);

  it('does not record the recheck of a stream as use of the session, but the next request', async () => {
    await ask(false);
    await ask(false);
    expect(uses, 'rechecks share a look-up').to.deep.equal([false]);
    await ask(true);
    expect(uses).to.deep.equal([false, true]);
    await ask(false);
    await ask(true);
    expect(uses, 'a look-up that was a use serves both').to.deep.equal([false, true]);
  });

  it('records the use by a request that arrives during a recheck', async () => {
    await Promise.all([ask(false), ask(true), ask(false), ask(true)]);
    expect(uses).to.deep.equal([false, true]);
  });
});

describe('TokenCache', () => {
  it('keeps an entry for its lifetime, counted from the last update', () => {
    const clock = { ms: 0 };
    const cache = new TokenCache<true>({ ttlMs: 100, maxEntries: 10, now: () => clock.ms });
    cache.set('one', true);
    clock.ms = 99;
    expect(cache.get('one')).to.equal(true);
    expect(cache.get('two')).to.equal(undefined);
    cache.set('one', true);
    clock.ms = 198;
    expect(cache.get('one')).to.equal(true);
    clock.ms = 199;
    expect(cache.get('one')).to.equal(undefined);
  });

  it('drops the entry with the oldest update when it is full', () => {
    const cache = new TokenCache<true>({ ttlMs: 100, maxEntries: 3, now: () => 0 });
    for (const token of ['a', 'b', 'a', 'c', 'd']) cache.set(token, true);
    expect(cache.get('b')).to.equal(undefined);
    expect(cache.get('a')).to.equal(true);
    cache.delete('a');
    expect(cache.get('a')).to.equal(undefined);
  });
});
