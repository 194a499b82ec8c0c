import { expect } from 'chai';
import { signatureRedactor } from '../../../../src/domain/delivery/evidence.js';
import { sign } from '../../../../src/domain/delivery/signature.js';

describe('the signatures in evidence', () => {
  const secrets = ['whsec_c2VjcmV0LW9uZQ==', 'whsec_c2VjcmV0LXR3bw=='];
  const body = Buffer.from('{"a":1}');

  // With slashes and pluses among the letters, as most have.
  const signatures = sign(secrets, 'evt_1', body, new Date(1_790_000_000_000));
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-signature': signatures.standard,
    'X-Service-Signature': signatures.service,
  };

  const redact = signatureRedactor(headers);
  const parts = [
    ...signatures.standard.split(' ').map((each) => each.slice('v1,'.length)),
    ...signatures.service.split(',').flatMap((each) => each.split('v1=')[1] ?? []),
  ];

  const spellings: Record<string, (text: string) => string> = {
    'as they are': (text) => text,
    'in JSON of PHP': (text) => JSON.stringify(text).replaceAll('/', String.raw`\/`),
    'in JSON that escapes': (text) =>
      text.replace(/[+/=]/g, (letter) => String.raw`\u00${letter.charCodeAt(0).toString(16)}`),
    'in a URL': encodeURIComponent,
    'in HTML': (text) => text.replaceAll('+', '&#43;').replaceAll('=', '&#x3D;'),
    'in upper case, if they are hex': (text) =>
      /^[\da-f]+$/.test(text) ? text.toUpperCase() : text,
  };

  it('are four, of two secrets in two forms', () => {
    expect(parts).to.have.lengthOf(4);
    expect(parts.join('')).to.match(/[+/]/);
  });

  for (const [title, spell] of Object.entries(spellings)) {
    it(`are replaced ${title}, and nothing else is`, () => {
      for (const part of parts) {
        const spelled = spell(part);
        expect(redact(`you sent ${spelled}!`)).to.equal(`you sent ${redact(spelled)}!`);
        expect(redact(spelled)).to.match(/^"?\*{40,}"?$/);
      }
    });
  }

  it('are replaced where the end of the text cuts them off', () => {
    for (const part of parts) {
      for (let length = 8; length < part.length; length += 1) {
        const text = `{"echo":"${part.slice(0, length)}`;
        expect(redact(text)).to.equal(`{"echo":"${'*'.repeat(length)}`);
      }
    }
  });

  it('are replaced with any first letters', () => {
    for (const first of ['a+/b/+c/', '++++++++', '/a/a/a/a', 'Aa+Bb+Cc']) {
      const signature = `${first}${'x'.repeat(35)}=`;
      const redactOne = signatureRedactor({ 'webhook-signature': `v1,${signature}` });
      for (const spell of Object.values(spellings)) {
        expect(redactOne(`you sent ${spell(signature)}!`)).to.match(/^you sent "?\*{40,}"?!$/);
      }
      expect(redactOne(`you sent ${signature.slice(0, 8)}`)).to.equal('you sent ********');
    }
  });

  it('leave other texts as they are', () => {
    const text = `t=1790000000,v1=${'0'.repeat(64)} evt_1 ${parts[0]!.slice(0, 20)}…`;
    expect(redact(text)).to.equal(text);
    expect(signatureRedactor({})(parts[0]!)).to.equal(parts[0]);
  });
});
