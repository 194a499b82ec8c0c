import { expect } from 'chai';
import type { Read } from '../../../src/domain/tx.js';
import { Authenticator } from '../../../src/api/authentication.js';

const good = 'sk_live_good';
const row = { id: 'crd_1', kind: 'live', account: 'acc_1', level: 'full', role: 'owner' };

describe('viewers that a process keeps', () => {
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

  it('shares a look-up of a known one that was kept too long, but not one that hangs', async () => {
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
