import { expect } from 'chai';
import {
  isEvent,
  type ReceivedHeaders,
  VerificationError,
  verify,
} from '../../../clients/typescript/src/verify.js';
import { sign } from '../../../src/domain/delivery/signature.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const older = 'whsec_0ldSecretStillValid00123456789abcdefghijklmn';
const id = 'evt_test_1';
const at = 1_795_132_800_000;
const event = { id, type: 'cart.order.completed', eventversion: 'v1', data: { k: 'é' } };
const body = Buffer.from(JSON.stringify(event));

/** The headers of a delivery that is signed with these secrets. */
const headersBy = (secrets: readonly string[], bytes = body): Readonly<Record<string, string>> => {
  const { timestamp, standard } = sign(secrets, id, bytes, new Date(at));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': standard };
};
const headers = headersBy([secret]);

/** What is wrong; the id of the event if nothing is. */
const judge = (
  given: ReceivedHeaders,
  {
    bytes = body,
    with: key = secret,
    now = at,
  }: { bytes?: Buffer | string; with?: string | string[]; now?: number } = {},
): string => {
  try {
    return verify(bytes, given, key, now).id;
  } catch (error) {
    expect(error).to.be.instanceOf(VerificationError);
    return (error as VerificationError).reason;
  }
};

describe('verify of the TypeScript client', () => {
  it('accepts the vectors of docs/receiving.md', () => {
    const text =
      '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed","data":{"metadata":{"k":"é"}}}';
    const signature = 'v1,yugBIPB3JAVY7TsUHc6Vchi/4svQkZSgsRojWkD+Jy4=';
    expect(judge({ ...headers, 'webhook-signature': signature }, { bytes: text })).to.equal(id);
  });

  it('accepts what the service signs, as bytes or text, and returns the event', () => {
    expect(verify(body, headers, secret, at)).to.deep.equal(event);
    expect(judge(headers, { bytes: body.toString() })).to.equal(id);
  });

  it('accepts headers in any case, in lists, and of fetch', () => {
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    expect(judge(Object.fromEntries(upper) as ReceivedHeaders)).to.equal(id);
    expect(judge(new Headers(headers))).to.equal(id);
  });

  it('accepts either secret during a rotation, and any of several secrets', () => {
    const rotating = headersBy([secret, older]);
    expect(judge(rotating)).to.equal(id);
    expect(judge(rotating, { with: older })).to.equal(id);
    expect(judge(headersBy([older]), { with: [secret, older] })).to.equal(id);
  });

  it('passes over signatures of other versions', () => {
    const signature = `v1a,AAAA v2,AAAA ${headers['webhook-signature']}`;
    expect(judge({ ...headers, 'webhook-signature': signature })).to.equal(id);
  });

  it('names a secret that is none, before it looks at the request', () => {
    const cutOff = ['whsec_', 'whsec_A', `${secret}A`];
    for (const wrong of ['', ...cutOff, secret.slice(6), ` ${secret}`, 'sk_live_abc', 'whsec_é']) {
      expect(judge({}, { with: wrong }), wrong).to.equal('secret_format');
      expect(judge(headers, { with: [secret, wrong] }), wrong).to.equal('secret_format');
    }
    expect(judge(headers, { with: [] })).to.equal('secret_format');
  });

  it('names the header that is missing', () => {
    for (const name of Object.keys(headers)) {
      for (const value of [undefined, '', []]) {
        expect(judge({ ...headers, [name]: value }), name).to.equal('missing_header');
      }
      const { [name]: _, ...others } = headers;
      expect(() => verify(body, others, secret, at)).to.throw(VerificationError, `no ${name}`);
    }
    const svix = Object.entries(headers).map(([name, value]) => [
      name.replace('webhook', 'svix'),
      value,
    ]);
    expect(judge(Object.fromEntries(svix) as ReceivedHeaders)).to.equal('missing_header');
  });

  it('names a malformed time, and a signature of no known version', () => {
    for (const timestamp of ['x', '-1', '1.5', '1e9', '0x10', '1795132800000000', '17 95']) {
      const given = { ...headers, 'webhook-timestamp': timestamp };
      expect(judge(given), timestamp).to.equal('malformed_timestamp');
    }
    const right = headers['webhook-signature'] ?? '';
    for (const signature of [
      `v2,${right.slice(3)}`,
      right.slice(3),
      right.slice(0, -8),
      'v1,',
      'v1',
      'V1,AA',
    ]) {
      const given = { ...headers, 'webhook-signature': signature };
      expect(judge(given), signature).to.equal('unknown_version');
    }
  });

  it('refuses another body, id, time and secret', () => {
    expect(judge(headers, { bytes: body.toString().replace('é', 'e') })).to.equal('no_match');
    expect(judge(headers, { bytes: `${body.toString()}\n` })).to.equal('no_match');
    expect(judge({ ...headers, 'webhook-id': 'evt_test_2' })).to.equal('no_match');
    expect(judge({ ...headers, 'webhook-timestamp': '1795132801' })).to.equal('no_match');
    expect(judge(headers, { with: older })).to.equal('no_match');
  });

  it('accepts a time within five minutes, and names one that is too old or too new', () => {
    expect(judge(headers, { now: at + 300_000 })).to.equal(id);
    expect(judge(headers, { now: at - 300_000 })).to.equal(id);
    expect(judge(headers, { now: at + 301_000 })).to.equal('too_old');
    expect(judge(headers, { now: at - 301_000 })).to.equal('too_new');
    // What nobody signed is not called old.
    expect(judge(headers, { now: at + 301_000, with: older })).to.equal('no_match');
  });

  it('names a signed body that is no event', () => {
    for (const bytes of ['', '{', '7', 'null'].map((text) => Buffer.from(text))) {
      expect(judge(headersBy([secret], bytes), { bytes })).to.equal('malformed_body');
    }
  });

  it('tells events apart by type and version', () => {
    const verified = verify(body, headers, secret, at);
    expect(isEvent(verified, 'cart.order.completed')).to.equal(true);
    expect(isEvent(verified, 'invoice.issued')).to.equal(false);
    expect(isEvent({ ...verified, eventversion: 'v2' }, 'cart.order.completed')).to.equal(false);
  });
});
