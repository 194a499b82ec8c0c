import { expect } from 'chai';
import { ApiError } from '../../../src/http/problems.js';
import { RateLimits } from '../../../src/http/rate-limits.js';

describe('RateLimits (H80, H95)', () => {
  it('states the rest of the quota, and refuses requests over it', async () => {
    const limits = new RateLimits({ perMinute: 2 });
    const first = await limits.consume('default', 'acc_1');
    const second = await limits.consume('default', 'acc_1');
    const third = await limits.consume('default', 'acc_1');

    expect(first.headers).to.deep.equal({
      RateLimit: '"default";r=1;t=60',
      'RateLimit-Policy': '"default";q=2;w=60',
    });

    expect(second.exceeded).to.equal(false);
    expect(second.headers.RateLimit).to.match(/^"default";r=0;t=(59|60)$/);
    expect(third.exceeded).to.equal(true);
    expect(third.headers.RateLimit).to.match(/^"default";r=0;/);
    expect(third.resetSeconds).to.be.within(1, 60);
  });

  it('counts each account and each policy separately', async () => {
    const limits = new RateLimits({ perMinute: 1 });
    await limits.consume('default', 'acc_1');
    expect((await limits.consume('default', 'acc_2')).exceeded).to.equal(false);
    const replay = await limits.consume('replay', 'acc_1');
    expect(replay.headers['RateLimit-Policy']).to.equal('"replay";q=600;w=60');
    const mail = await limits.consume('mail', 'acc_1');
    expect(mail.headers['RateLimit-Policy']).to.equal('"mail";q=60;w=60');
    expect((await limits.consume('default', 'acc_1')).exceeded).to.equal(true);
  });

  it('leaves an account half of its requests when its portals send many', async () => {
    const limits = new RateLimits({ perMinute: 7 });
    const portal = async () => (await limits.consume('default', 'acc_1', true)).exceeded;
    const sent = [await portal(), await portal(), await portal(), await portal(), await portal()];
    expect(sent).to.deep.equal([false, false, false, true, true]);

    const own = async () => (await limits.consume('default', 'acc_1')).exceeded;
    expect([await own(), await own(), await own(), await own(), await own()]).to.deep.equal([
      false,
      false,
      false,
      false,
      true,
    ]);

    const other = await limits.consume('default', 'acc_2', true);
    expect(other.headers.RateLimit).to.match(/^"default";r=6;/);

    const refused = await limits.consume('default', 'acc_1', true);
    expect(refused.headers['RateLimit-Policy']).to.equal('"portal-default";q=3;w=60');
  });

  it('gives a count back when the mail was not sent', async () => {
    const limits = new RateLimits({ perMinute: 100 });
    const consumed = await limits.consume('mail', 'acc_1');
    expect(consumed.headers.RateLimit).to.match(/^"mail";r=59;/);
    const back = await limits.restore('mail', 'acc_1', consumed);
    expect(back.headers.RateLimit).to.match(/^"mail";r=60;/);
    for (let count = 0; count < 60; count += 1) await limits.consume('mail', 'acc_1');
    const refused = await limits.consume('mail', 'acc_1');
    expect(refused.exceeded).to.equal(true);
    await limits.restore('mail', 'acc_1', refused);
    await limits.restore('mail', 'acc_1', refused);
    expect((await limits.consume('mail', 'acc_1')).exceeded).to.equal(false);
  });

  it('gives nothing back from a minute that has passed', async () => {
    const limits = new RateLimits({ perMinute: 100 });
    const over = { ...(await limits.consume('mail', 'acc_1')), until: performance.now() };
    const back = await limits.restore('mail', 'acc_1', over);
    expect(back.headers.RateLimit).to.match(/^"mail";r=59;/);
  });

  it('counts the page requests of an address for all accounts together', async () => {
    const limits = new RateLimits({ perMinute: 20 });
    const admit = (address: string) => limits.admit(address).catch((error: unknown) => error);
    expect(await admit('2001:db8:1:2::1')).to.equal(undefined);
    expect(await admit('2001:db8:1:2::2')).to.equal(undefined);
    expect(await admit('2001:db8:1:3::1')).to.equal(undefined);
    const refusal = await admit('2001:db8:1:2::3');
    expect(refusal).to.be.instanceOf(ApiError);
    expect((refusal as ApiError).code).to.equal('rate_limit_exceeded');
    expect((refusal as ApiError).headers).to.have.property('Retry-After');
  });

  it('H166: limits the sign-in mails of all addresses, and each address to a few of them', async () => {
    const limits = new RateLimits({ perMinute: 20 });
    const ask = (address: string) => limits.admitLink(address).catch((error: unknown) => error);
    for (let count = 0; count < 100; count += 1) await ask('192.0.2.1');
    for (let count = 0; count < 580; count += 1) {
      expect(await ask(`10.0.${count >> 8}.${count & 255}`)).to.equal(undefined);
    }
    const refusal = await ask('192.0.3.1');
    expect(refusal).to.be.instanceOf(ApiError);
    expect((refusal as ApiError).message).to.match(/600 per minute \(links\)/);
    expect((refusal as ApiError).headers).to.include({ 'RateLimit-Policy': '"links";q=600;w=60' });
    expect((refusal as ApiError).headers['RateLimit']).to.match(/^"links";r=0;t=\d+$/);
  });

  it('H166: reserves sign-in mails for networks that requested little', async () => {
    const limits = new RateLimits({ perMinute: 20 });
    const ask = (address: string) => limits.admitLink(address).catch((error: unknown) => error);
    for (let count = 0; count < 30; count += 1) {
      for (let times = 0; times < 20; times += 1) await ask(`192.0.2.${count}`);
    }
    expect(await ask('198.51.100.1')).to.equal(undefined);
    const second = await ask('198.51.100.1');
    expect(second).to.be.instanceOf(ApiError);
    expect((second as ApiError).message).to.match(/600 per minute \(links\)/);
    expect((second as ApiError).headers).to.include({ 'RateLimit-Policy': '"links";q=600;w=60' });
    expect(await ask('2001:db8::1')).to.equal(undefined);
    await limits.admitKnownLink('browser');
  });

  it('H166: counts the sign-in mails of a /56 and a /48 of IPv6, too', async () => {
    const limits = new RateLimits({ perMinute: 20 });
    const ask = (address: string) => limits.admitLink(address).catch((error: unknown) => error);
    const admitted = async (addresses: readonly string[]) => {
      let count = 0;
      for (const address of addresses) if ((await ask(address)) === undefined) count += 1;
      return count;
    };

    const nets = Array.from({ length: 200 }, (_, index) => index.toString(16));
    expect(await admitted(nets.map(() => '2001:db8:1:1::1'))).to.equal(20);
    expect(await admitted(nets.map((net) => `2001:db8:2:${net.padStart(2, '0')}::1`))).to.equal(40);
    expect(await admitted(nets.map((net) => `2001:db8:3:${net}00::1`))).to.equal(60);
  });

  it('counts in the process while Redis is unavailable', async () => {
    const redis = { status: 'end', defineCommand: () => undefined };
    const limits = new RateLimits({ perMinute: 1, redis });
    expect((await limits.consume('default', 'acc_1')).exceeded).to.equal(false);
    expect((await limits.consume('default', 'acc_1')).exceeded).to.equal(true);
  });
});
