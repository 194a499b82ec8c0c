import { expect } from 'chai';
import { explainSignature, serviceSignature, type SignatureInput } from '../../../cli/signature.js';
import { standardSignature } from '../../../clients/typescript/src/verify.js';
import { sign } from '../../../src/domain/delivery/signature.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const id = 'evt_test_1';
const at = new Date('2026-11-20T00:00:00Z');
const body = Buffer.from('{"id":"evt_test_1","data":{"k":"é"}}');
const { service, standard, timestamp } = sign([secret], id, body, at);

const explain = (changes: Partial<SignatureInput>) =>
  explainSignature({ header: service, secrets: [secret], body, now: at, ...changes });
const reasonOf = (changes: Partial<SignatureInput>) => {
  const result = explain(changes);
  return result.right ? 'right' : `${result.reason}: ${result.detail}`;
};

describe('verify', () => {
  it('signs as the service does', () => {
    expect(service).to.equal(
      `t=${timestamp},v1=${serviceSignature(secret, timestamp, body).toString('hex')}`,
    );
    expect(standard).to.equal(
      `v1,${Buffer.from(standardSignature(secret, id, timestamp, body)).toString('base64')}`,
    );
  });

  it('H177: verify accepts both headers, and any of several secrets', () => {
    expect(explain({})).to.deep.equal({ right: true, form: 'service', secret: 0 });
    const named = `X-Service-Signature: ${service}`;
    expect(explain({ header: named, secrets: ['whsec_AAAA', secret] })).to.deep.equal({
      right: true,
      form: 'service',
      secret: 1,
    });
    expect(explain({ header: standard, id, timestamp })).to.deep.include({ form: 'standard' });
  });

  it('H177: verify names the mistake that explains a wrong signature', () => {
    const file = (text: string) => ({ body: Buffer.from(text) });
    const text = body.toString();
    const cases: [Partial<SignatureInput>, RegExp][] = [
      [{ secrets: ['whsec_AAAABBBB'] }, /^wrong_secret_or_body/],
      [{ secrets: [secret.slice(6)] }, /^secret_form: .*lacks its prefix/],
      [{ secrets: [` ${secret}`] }, /^secret_form: .*white space/],
      [{ secrets: ['sk_live_abc'] }, /^secret_form: .*API key/],
      [file(`${text}\n`), /^body_changed: .*line break/],
      [file(`\ufeff${text}`), /^body_changed: .*byte order mark/],
      [
        file(JSON.stringify(JSON.parse(text), null, 2)),
        /^body_changed: .*parsed and serialized again/,
      ],
      [file(text.replace('é', 'e')), /^wrong_secret_or_body/],
      [{ now: new Date(at.getTime() + 360_000) }, /^clock: .*360 s old/],
      [{ now: new Date(at.getTime() - 360_000) }, /^clock: .*360 s in the future/],
      [{ header: service.slice(0, -4) }, /^header_form: .*cut/],
      [{ header: 'abc' }, /^header_form/],
      [{ header: standard }, /^header_form: .*--id and --timestamp/],
    ];
    for (const [changes, reason] of cases) expect(reasonOf(changes)).to.match(reason);
  });
});
