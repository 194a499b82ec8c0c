import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readEnvironment } from '../../../cli/environment.js';
import {
  findSession,
  loginUrl,
  profileNames,
  readProfile,
  removeProfile,
  storeProfile,
} from '../../../cli/profile.js';

describe('profiles of the command line', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'signalpost-profile-'))));
  afterEach(() => rmSync(home, { recursive: true }));

  const environment = (added: Record<string, string> = {}) =>
    readEnvironment({ HOME: home, ...added });
  const store = (key: string, url = 'https://api.example') =>
    storeProfile(environment().configDir, 'default', { url, key });

  it('H176: profiles are files of mode 0600 in a folder of mode 0700', () => {
    store('sk_live_one');
    const folder = join(home, '.config', 'signalpost', 'profiles');
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    expect(statSync(join(folder, 'default.json')).mode & 0o777).to.equal(0o600);
    chmodSync(join(folder, 'default.json'), 0o640);
    expect(() => findSession({}, environment())).to.throw(/Other users can read .*chmod go=/);
  });

  it('accepts the URL of a service with umlauts, also after thousands of others', () => {
    for (let number = 0; number < 20_000; number += 1) {
      // A flat string, as the command line gives one, and not a concatenation.
      const url = Buffer.from(`https://bücher.example/${number}`).toString();
      expect(loginUrl({ url }, environment())).to.equal(`https://xn--bcher-kva.example/${number}`);
    }
  });

  it('H176: a profile keeps its secret when the key changes, and logout removes it', () => {
    const { listenSecret } = store('sk_live_one');
    expect(listenSecret).to.match(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(store('sk_live_two').listenSecret).to.equal(listenSecret);
    const { configDir } = environment();
    expect(profileNames(configDir)).to.deep.equal(['default']);
    expect([
      removeProfile(configDir, 'default'),
      removeProfile(configDir, 'default'),
    ]).to.deep.equal([true, false]);
    expect(readProfile(configDir, 'default')).to.equal(undefined);
  });

  it('H176: SIGNALPOST_API_KEY takes precedence, stores nothing, and signs with its own secret', () => {
    store('sk_live_one');
    const added = { SIGNALPOST_API_KEY: 'sk_live_env', SIGNALPOST_URL: 'https://other.example/' };
    const session = findSession({}, environment(added));
    expect(session).to.deep.include({
      profile: undefined,
      url: 'https://other.example',
      key: 'sk_live_env',
    });
    expect(findSession({}, environment(added))).to.deep.equal(session);
  });

  it('never sends the key of a profile to another service', () => {
    store('sk_live_one');
    expect(() => findSession({ url: 'https://evil.example' }, environment())).to.throw(
      /Profile default is for https:\/\/api\.example/,
    );
    for (const name of ['../x', '', 'a/b']) {
      expect(() => readProfile(home, name)).to.throw(/name of a profile/);
    }
  });
});
