import { expect } from 'chai';
import fc from 'fast-check';
import type { Header } from '../../../../src/domain/delivery/evidence.js';
import {
  describeFailure,
  describeIncompleteBody,
  showBody,
} from '../../../../src/domain/delivery/evidence-of-deliveries.js';

const typed = (type: string): Header[] => [['content-type', type]];

describe('the body that evidence shows', () => {
  it('H130: shows a body as text of its charset, or as UTF-8 without one', () => {
    for (const [bytes, headers, content] of [
      [Buffer.from('é\r\n\t{"a":1}'), [], 'é\r\n\t{"a":1}'],
      [Buffer.from('é', 'latin1'), typed('text/html; Charset="ISO-8859-1"'), 'é'],
      [Buffer.from('é', 'utf16le'), typed('text/plain;charset=utf-16le'), 'é'],
      [Buffer.from('8abf8e9a', 'hex'), typed('text/plain; charset=shift_jis'), '漢字'],
      [Buffer.alloc(0), [], ''],
    ] as const) {
      expect(showBody(bytes, false, headers)).to.deep.equal({
        encoding: 'text',
        content,
        truncated: false,
      });
    }
  });

  it('H130: shows a body in hexadecimal if it is compressed, invalid in its charset, or has control characters', () => {
    for (const [bytes, headers] of [
      [Buffer.from('a\0b'), []],
      [Buffer.from('a\u001b[31m'), []],
      [Buffer.from('a\u0085b'), []],
      [Buffer.from([0xff, 0xfe, 0x41]), []],
      [Buffer.from('é').subarray(0, 1), []],
      [Buffer.from('text'), typed('text/plain; charset=klingon')],
      [Buffer.from('text'), [['content-encoding', 'gzip']] as Header[]],
    ] as const) {
      expect(showBody(bytes, false, headers)).to.deep.equal({
        encoding: 'hex',
        content: bytes.toString('hex'),
        truncated: false,
      });
    }
  });

  it('H130: leaves out a letter that the limit cuts', () => {
    const bytes = Buffer.from('aé').subarray(0, 2);
    expect(showBody(bytes, true, [])).to.deep.equal({
      encoding: 'text',
      content: 'a',
      truncated: true,
    });
  });

  it('H130: shows any bytes in any charset in a form that PostgreSQL and JSON can carry', () => {
    const charsets = [
      'utf-8',
      'utf-16le',
      'utf-16be',
      'gb18030',
      'iso-2022-jp',
      'x',
      'replacement',
    ];

    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 50 }),
        fc.constantFrom(...charsets),
        fc.boolean(),
        (bytes, charset, truncated) => {
          const { content } = showBody(
            Buffer.from(bytes),
            truncated,
            typed(`a/b; charset=${charset}`),
          );
          expect(Buffer.from(content).toString()).to.equal(content);
          expect(content).not.to.include('\0');
        },
      ),
    );
  });
});

describe('the words for a failure', () => {
  const failure = { responseStatus: null, phase: null, address: null, detail: null };

  it('H131: describes a failure by status, phase, address and detail', () => {
    for (const [changes, words] of [
      [{ reason: 'status_500', responseStatus: 500 }, 'The receiver responded with status 500.'],
      [
        { reason: 'status_302', responseStatus: 302 },
        'The receiver responded with status 302. Redirects are not followed: change the URL of the endpoint.',
      ],
      [
        { reason: 'tls_timeout', phase: 'tls', address: '192.0.2.1' },
        'The TLS handshake did not complete in time. (address 192.0.2.1)',
      ],
      // A record of 2.0.0.
      [
        { reason: 'connect_timeout', phase: 'tls', address: '192.0.2.1' },
        'The TLS handshake did not complete in time. (address 192.0.2.1)',
      ],
      [
        { reason: 'connection_refused', address: '2001:db8::1', detail: 'ECONNREFUSED' },
        'The receiver refused the connection. (address 2001:db8::1; ECONNREFUSED)',
      ],
      [
        { reason: 'protocol_error', detail: 'The status line is malformed.' },
        'The receiver did not send a valid HTTP/1.1 response. (The status line is malformed)',
      ],
      [
        { reason: 'tls_certificate_untrusted', detail: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
        'The receiver sent no intermediate certificate, or a private authority issued its certificate. Configure the receiver to send its certificate together with the intermediate ones. (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
      ],
      [{ reason: 'of_a_newer_version' }, 'of_a_newer_version'],
    ] as const) {
      expect(describeFailure({ ...failure, ...changes })).to.equal(words);
    }
  });

  it('H129: describes how the response of a success ended, unless it was complete', () => {
    const accepted = 'The receiver accepted the event, but its response is incomplete.';
    for (const [phase, detail, words] of [
      ['end', null, null],
      ['body', 'The receiver left the body open.', `${accepted} (The receiver left the body open)`],
      ['body', 'ECONNRESET', `${accepted} (ECONNRESET)`],
      ['body', null, accepted],
    ] as const) {
      expect(describeIncompleteBody({ phase, detail })).to.equal(words);
    }
  });
});
