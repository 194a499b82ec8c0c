import { expect } from 'chai';
import { endpointUrlIssues } from '../../../../src/domain/endpoint/endpoint-url.js';
import { hostSpellings } from '../../../support/address-spellings.js';
import { closedAddresses, openAddresses, sealedAddresses } from '../../outbound/address-ranges.js';
import { reasonProblem } from '../../../../dashboard/src/pages/endpoints/endpoint-rules.js';
import {
  disablingReasonChanges,
  disablingReasonIssues,
} from '../../../../src/domain/endpoint/endpoint-input.js';
import { makeSecret } from '../../../../src/domain/endpoint/secrets.js';

describe('the rule for an endpoint url', () => {
  const codeFor = (url: string) => endpointUrlIssues(url, { kind: 'none' })[0]?.code;
  const startOf = (length: number) => 'https://a.example/'.padEnd(length, 'x');

  it('H4: accepts ordinary URLs', () => {
    for (const url of [
      'https://a.example',
      'https://a.example/',
      'https://a.example:8443/hooks?token=a%20b&x=@',
      'https://a.example/@me',
      'https://xn--bcher-kva.example/',
      'https://bücher.example/ü',
      'https://localhost/hook',
      'https://Shop.Example.com:443/%7ea/..b/c..?q=%C3%BC/../',
      "https://a.example/!$&'()*+,;=:@-._~/%2F?!$&'()*+,;=:@/?-._~%2f",
      "https://a!$&'()*+,;=b.example/",
      'https://a.example.:65535//b//?',
      'https://a_b.example:1/',
      'https://ä.example/ä?ä=😀',
      'https://[2A00:1450:4001:0:0::1]:8443/',
      'https://a.example?query',
      `https://${'a'.repeat(63)}.example./`,
      startOf(2_048),
      'https://a.example/'.padEnd(2_048 + 2_030, '😀'),
    ]) {
      expect(endpointUrlIssues(url, { kind: 'none' }), url).to.deep.equal([]);
    }
  });

  const refusals: Readonly<Record<string, readonly string[]>> = {
    too_long: [startOf(2_049), 'https://a.example/'.padEnd(100_000, '😀')],
    invalid_format: [
      '',
      'http://a.example',
      'HTTPS://a.example',
      'Https://a.example',
      ' https://a.example',
      'https:/a.example',
      'https:a.example',
      'https:\\\\a.example',
      'ftp://a.example',
      'https://',
      'https:///a.example',
      'https://\\a.example',
      'https://?x',
      'https://:443',
      'https://@a.example',
      'https://:@a.example',
      'https://user@a.example',
      'https://user:pass@a.example/',
      'https://a.example/#',
      'https://a.example/#top',
      'https://a.example/ b',
      'https://a.example/\tb',
      'https://a.exa\nmple/',
      'https://a.example/\u00a0',
      'https://a.example/\u3000',
      'https://a.example/\u0085',
      'https://a.example/\u007f',
      'https://a.example:65536/',
      'https://256.1.1.1/',
      'https://[::1/',
      'https://[fe80::1%25eth0]/',
      'https://a^b.example/',
      'https://a.example\\b',
      'https://a.example/\\b',
      'https://a.example\\@b.example/',
      'https://a.example:/',
      'https://a.example:',
      'https://[2a00:1450:4001::1]:/',
      'https://a.example:0/',
      'https://a.example:00/',
      'https://a.example:0443/',
      'https://a.example:+443/',
      'https://a.example:44a/',
      'https://a.example:99999/',
      'https://a.example::443/',
      'https://a.example/%',
      'https://a.example/%4',
      'https://a.example/%zz',
      'https://a.example/%%41',
      'https://a.example/?x=%u00e4',
      'https://a.example%/',
      'https://%61.example/',
      'https://a%2eexample/',
      'https://%61ä.example/',
      'https://a%00.example/',
      'https://a.example/.',
      'https://a.example/a/../b',
      'https://a.example/a/./b?c',
      'https://a.example/a/%2e%2E',
      'https://a.example/.%2e/b',
      'https://a.example/ü/..',
      'https://a..example/',
      'https://.a.example/',
      'https://a.example../',
      'https://./',
      `https://${'a'.repeat(64)}.example/`,
      `https://${'ü'.repeat(60)}.example/`,
      `https://${'a.'.repeat(128)}/`,
      ...Array.from('"<>[]^`{|}', (character) => `https://a.example/x${character}`),
      ...Array.from('"<>[]^`{|}', (character) => `https://a.example?x=${character}`),
      ...Array.from('"<>^`{|}', (character) => `https://a${character}b.example/`),
    ],
    invalid_value: [
      'https://a.example/\0',
      'https://a.example/\ud800',
      'https://0x7f.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://①②⑦.0.0.1/',
      'https://127。0。0。1/',
      'https://%31%32%37.0.0.1/',
      'https://127.0.0.1./',
      'https://0/',
      'https://0xa9fea9fe/latest/meta-data',
      'https://[::ffff:7f00:1]:8443/',
      'https://[0:0:0:0:0:0:0:1]/',
    ],
  };

  for (const [code, urls] of Object.entries(refusals)) {
    for (const url of urls) {
      it(`H4, H117: refuses ${JSON.stringify(url.slice(0, 40))} as ${code}`, () => {
        const errors = endpointUrlIssues(url, { kind: 'none' });
        expect(errors).to.have.length(1);
        expect(errors[0]).to.include({ code, param: 'url' });
      });
    }
  }

  it('H4: refuses a literal address of every closed range, however it is spelled', () => {
    for (const host of Object.values(closedAddresses).flat().flatMap(hostSpellings)) {
      expect(codeFor(`https://${host}/hook`), host).to.equal('invalid_value');
    }
  });

  it('H4, H117: accepts public literal addresses in the one spelling that all parsers read alike', () => {
    for (const address of openAddresses) {
      for (const host of hostSpellings(address)) {
        const taken = host === address || host.startsWith('[') || /[^\0-\x7f]/.test(host);
        expect(codeFor(`https://${host}:8443/`), host).to.equal(
          taken ? undefined : 'invalid_value',
        );
      }
    }
  });

  it('H4: accepts private addresses where the operator allows them, and metadata addresses never', () => {
    const allowed = { kind: 'private' } as const;
    expect(endpointUrlIssues('https://127.0.0.1:9443/', allowed)).to.deep.equal([]);
    expect(endpointUrlIssues('https://[::1]/', allowed)).to.deep.equal([]);
    for (const host of sealedAddresses.flatMap(hostSpellings)) {
      expect(endpointUrlIssues(`https://${host}/`, allowed), host).to.have.length(1);
    }
  });
});

const detailsOf = (reason: string | null | undefined, active: boolean | null | undefined) =>
  disablingReasonIssues(reason, active).map(({ param, code, detail }) => [param, code, detail]);
const detailOf = (reason: string) => detailsOf(reason, false);
const noAddress = [['reason', 'invalid_value', 'Must not have an e-mail address.']];
const oneLine = [['reason', 'invalid_value', 'Must be one line without control characters.']];
const tooLong = [['reason', 'too_long', 'Must be at most 200 characters.']];

describe('the reason of a person who disables an endpoint', () => {
  it('H232: a reason has at most 200 characters of any kind', () => {
    expect(detailOf('😀'.repeat(200))).to.deep.equal([]);
    expect(detailOf(` ${'a'.repeat(200)} `)).to.deep.equal([]);
    expect(detailOf('a'.repeat(201))).to.deep.equal(tooLong);
    expect(reasonProblem('😀'.repeat(200))).to.equal(undefined);
    expect(reasonProblem(` ${'a'.repeat(200)} `)).to.equal(undefined);
    expect(reasonProblem('a'.repeat(201))).to.equal('tooLong');
  });

  it('H232: a reason is one line that can be stored', () => {
    for (const reason of ['a\nb', 'a\rb', 'a\u2028b', 'a\u001bb', 'a\tb'])
      expect(detailOf(reason), JSON.stringify(reason)).to.deep.equal(oneLine);
    expect(detailOf('a\0b')[0]).to.include('Must not contain a NUL character.');
    expect(detailOf('a\ud800b')[0]).to.include('Must not contain a lone surrogate.');
    expect(detailOf('a\u202eb')).to.deep.equal([]);
  });

  it('H232: refuses an e-mail address in a reason, because the erasure of a buyer would have to find it', () => {
    for (const reason of ['Asked by ann@shop.example', 'ANN%40shop.example', "<o'x@ä.example>"]) {
      expect(detailOf(reason), reason).to.deep.equal(noAddress);
      expect(reasonProblem(reason), reason).to.equal('address');
    }
    for (const reason of ['Ask @ops', '3 events @ 5 a second', 'at 40% of the load']) {
      expect(detailOf(reason), reason).to.deep.equal([]);
      expect(reasonProblem(reason), reason).to.equal(undefined);
    }
  });

  it('H232: accepts a reason only with a change that disables, and ignores a blank one', () => {
    const detail = 'Must be absent, unless the change sets active to false.';
    for (const active of [true, undefined, null])
      expect(detailsOf('Why', active)).to.deep.equal([['reason', 'invalid_value', detail]]);
    for (const reason of [' ', '', null, undefined]) {
      expect(detailsOf(reason, true)).to.deep.equal([]);
      expect(disablingReasonChanges(reason)).to.deep.equal([]);
    }
    expect(disablingReasonChanges(' Why ')).to.deep.equal([{ field: 'reason', to: 'Why' }]);
  });
});

describe('makeSecret', () => {
  it('H14: a secret fits the public pattern and decodes as 33 bytes of base64', () => {
    const secret = makeSecret();
    expect(secret).to.match(/^whsec_[A-Za-z0-9]{44}$/);
    const encoded = secret.slice('whsec_'.length);
    expect(Buffer.from(encoded, 'base64').toString('base64')).to.equal(encoded);
    expect(Buffer.from(encoded, 'base64')).to.have.length(33);
    expect(makeSecret()).not.to.equal(secret);
  });
});
