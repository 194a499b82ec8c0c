import { expect } from 'chai';
import {
  credentialRedactor,
  evidenceOf,
  keptHeaders,
  unsignedHeaders,
  redactUrl,
} from '../../../../src/domain/delivery/evidence.js';
import { sign } from '../../../../src/domain/delivery/signature.js';

const head = (...lines: readonly string[]) => ['HTTP/1.1 500 No', ...lines, ''].join('\r\n');

describe('the headers that evidence keeps', () => {
  it('H129: keeps the headers of a request without its signatures', () => {
    expect(
      unsignedHeaders({
        'webhook-id': 'evt_1',
        'webhook-signature': 'v1,x',
        'x-service-signature': 't=1,v1=x',
        'X-Service-Signature': 't=1,v1=x',
        'X-Service-Attempt': '1',
      }),
    ).to.deep.equal([
      ['webhook-id', 'evt_1'],
      ['x-service-attempt', '1'],
    ]);
  });

  it('H130: keeps the listed headers of a response, in their order, and no cookie', () => {
    const lines = ['Server:\t nginx', 'Set-Cookie: sid=1', 'Authorization: x', 'VIA: 1', 'via: 2'];
    expect(keptHeaders(head(...lines, 'X-Secret: 1'))).to.deep.equal([
      ['server', 'nginx'],
      ['via', '1'],
      ['via', '2'],
    ]);
  });

  it('H130: hides secrets of a redirect and control characters', () => {
    expect(keptHeaders(head('location: /in?token=abc&next=%2F', 'server: a\x9bb'))).to.deep.equal([
      ['location', '/in?token=***&next=%2F'],
      ['server', 'a\ufffdb'],
    ]);
  });

  it('H130: keeps at most 1,024 bytes of a header value and 4 KiB in all', () => {
    const bomb = head(...Array.from({ length: 15 }, () => `via: ${'é'.repeat(1_000)}`), 'age: 1');
    const headers = keptHeaders(Buffer.from(bomb, 'latin1').toString('latin1'));
    const bytes = headers.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes).to.be.within(3_000, 4_096);
    expect(headers[0]?.[1]).to.match(/^é{510}…$/);
    expect(headers.at(-1)).to.deep.equal(['age', '1']);
  });
});

describe('the URL that evidence keeps', () => {
  it('H129: keeps no user information and no value of a secret parameter of a URL', () => {
    for (const [url, redacted] of [
      ['https://a.example/hook?x=1', 'https://a.example/hook?x=1'],
      ['https://u:p@a.example/@b', 'https://a.example/@b'],
      ['//u:p@a.example/', '//a.example/'],
      ['https://a.example/?api_key=1&sig=2&x=3', 'https://a.example/?api_key=***&sig=***&x=3'],
      [
        'https://a.example/?X-Amz-Signature=f&%74oken=1',
        'https://a.example/?X-Amz-Signature=***&%74oken=***',
      ],
      ['/cb#access_token=1&state=2', '/cb#access_token=***&state=2'],
      [
        'https://a.example/?monkey=1&design=2&%=3&token',
        'https://a.example/?monkey=1&design=2&%=3&token',
      ],
    ] as const) {
      expect(redactUrl(url)).to.equal(redacted);
    }
  });
});

describe('evidence', () => {
  const request = { url: 'https://a.example/', headers: {} };

  it('H129: keeps no evidence of a success that was not traced', () => {
    const outcome = { kind: 'accepted', status: 200 } as const;
    expect(evidenceOf(request, { outcome, durationMs: 1 })).to.equal(undefined);
  });

  it('H131: keeps neither address nor times of a refused destination', () => {
    const outcome = { kind: 'refused', reason: 'blocked_destination' } as const;
    expect(evidenceOf(request, { outcome, durationMs: 0 })).to.deep.equal({
      url: request.url,
      requestHeaders: [],
      phase: null,
      address: null,
      tlsVersion: null,
      detail: null,
      lookupMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
      totalMs: null,
      responseHeaders: null,
      body: null,
      bodyTruncated: false,
    });
  });
});

describe('the static headers in evidence', () => {
  const token = 'Tok"en&/+=<>\\%41-value_1';
  const value = `Bearer ${token}`;
  const staticHeaders = [
    ['Authorization', value],
    ['X-Debug', 'true'],
  ] as const;
  const redact = credentialRedactor({ headers: {}, staticHeaders });

  const html = (text: string) =>
    text.replace(/[&<>"]/g, (character) => `&#0${character.charCodeAt(0)};`);
  const named: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  const spellings: Record<string, (text: string) => string> = {
    'as they are': (text) => text,
    'in JSON': (text) => JSON.stringify(text).slice(1, -1),
    'in JSON of PHP': (text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replaceAll('/', String.raw`\/`),
    'in JSON that escapes': (text) =>
      text.replace(/[^\w]/g, (character) => {
        const digits = character.charCodeAt(0).toString(16).padStart(2, '0');
        return String.raw`\u00${digits}`;
      }),
    'in a URL': encodeURIComponent,
    'in HTML': html,
    'in HTML with names': (text) => text.replace(/[&<>"]/g, (character) => named[character] ?? ''),
    'in upper case': (text) => text.toUpperCase(),
  };

  for (const [title, spell] of Object.entries(spellings)) {
    it(`H301: replaces static headers ${title}, with and without their scheme, and nothing else`, () => {
      for (const text of [value, token]) {
        expect(redact(`you sent ${spell(text)}!`)).to.match(/^you sent (?:Bearer )?\*{20,}!$/);
      }
    });

    it(`H301: replaces static headers ${title} that the end of the text cuts off`, () => {
      const spelled = spell(token);
      for (let length = spelled.length - 1; length > spelled.length / 2; length -= 1) {
        expect(redact(`{"echo":"${spelled.slice(0, length)}`)).not.to.include(spelled.slice(0, 8));
      }
    });
  }

  it('H301: replaces values of any length and characters, in bounded time', () => {
    for (const character of ['/', 'a', '\\', '%', '&', '"']) {
      const long = character.repeat(4_000);
      const redactLong = credentialRedactor({ headers: {}, staticHeaders: [['X-Key', long]] });
      expect(redactLong(`${long}.`)).to.equal(`${'*'.repeat(4_000)}.`);
      expect(redactLong(encodeURIComponent(long))).to.match(/^\*+$/);
    }
  });

  it('H301: leaves texts without static headers, and values too short to be secret, as they are', () => {
    const text = '{"error":"Bearer token expired","debug":true}';
    expect(redact(text)).to.equal(text);
  });

  it('H301: keeps neither a static header of the request, nor one that the receiver repeats', () => {
    const evidence = evidenceOf(
      { url: 'https://a.example/', headers: { 'webhook-id': 'evt_1' }, staticHeaders },
      {
        outcome: { kind: 'rejected', status: 401 },
        durationMs: 1,
        trace: {
          phase: 'end',
          timings: {
            lookupMs: null,
            connectMs: null,
            tlsMs: null,
            firstByteMs: null,
            totalMs: null,
          },
          sendMs: null,
          address: null,
          tlsVersion: null,
          detail: null,
          bodyLeftOpen: false,
          response: {
            head: head(`WWW-Authenticate: Bearer error="${token}"`),
            body: Buffer.from(`Bad header: ${value}`),
            truncated: false,
          },
        },
      },
    );
    expect(evidence?.requestHeaders).to.deep.equal([['webhook-id', 'evt_1']]);
    expect(evidence?.responseHeaders).to.deep.equal([
      ['www-authenticate', `Bearer error="${'*'.repeat(token.length)}"`],
    ]);
    expect(Buffer.from(evidence?.body ?? '', 'base64').toString()).to.match(/^Bad header: \*+$/);
  });
});

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

  const redact = credentialRedactor({ headers });
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

  it('finds four signatures, of two secrets in two forms', () => {
    expect(parts).to.have.lengthOf(4);
    expect(parts.join('')).to.match(/[+/]/);
  });

  for (const [title, spell] of Object.entries(spellings)) {
    it(`replaces signatures ${title}, and nothing else`, () => {
      for (const part of parts) {
        const spelled = spell(part);
        expect(redact(`you sent ${spelled}!`)).to.equal(`you sent ${redact(spelled)}!`);
        expect(redact(spelled)).to.match(/^"?\*{40,}"?$/);
      }
    });
  }

  it('replaces signatures that the end of the text cuts off', () => {
    for (const part of parts) {
      for (let length = 8; length < part.length; length += 1) {
        const text = `{"echo":"${part.slice(0, length)}`;
        expect(redact(text)).to.equal(`{"echo":"${'*'.repeat(length)}`);
      }
    }
  });

  it('replaces signatures with any first letters', () => {
    for (const first of ['a+/b/+c/', '++++++++', '/a/a/a/a', 'Aa+Bb+Cc']) {
      const signature = `${first}${'x'.repeat(35)}=`;
      const redactOne = credentialRedactor({
        headers: { 'webhook-signature': `v1,${signature}` },
      });
      for (const spell of Object.values(spellings)) {
        expect(redactOne(`you sent ${spell(signature)}!`)).to.match(/^you sent "?\*{40,}"?!$/);
      }
      expect(redactOne(`you sent ${signature.slice(0, 8)}`)).to.equal('you sent ********');
    }
  });

  it('leaves texts without signatures as they are', () => {
    const text = `t=1790000000,v1=${'0'.repeat(64)} evt_1 ${parts[0]!.slice(0, 20)}…`;
    expect(redact(text)).to.equal(text);
    expect(credentialRedactor({ headers: {} })(parts[0]!)).to.equal(parts[0]);
  });
});
