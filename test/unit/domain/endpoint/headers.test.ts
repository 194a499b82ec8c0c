import { expect } from 'chai';
import {
  type HeaderInput,
  headerIssues,
  headersFor,
  shownHeaders,
} from '../../../../src/domain/endpoint/headers.js';

const issuesOf = (...headers: HeaderInput[]) =>
  headerIssues(headers).map(({ code, param }) => `${param} ${code}`);

const named = (name: string) => issuesOf({ name, value: 'x' });
const valued = (value: string) => issuesOf({ name: 'X-Key', value });

describe('the static headers of an endpoint', () => {
  it('H300: may be any that the service and HTTP leave free, of tokens and visible ASCII', () => {
    for (const name of [
      'Authorization',
      'Cookie',
      'X-Api-Key',
      'x_key',
      "!#$&'*+-.^_`|~9",
      'accepted',
    ])
      expect(named(name), name).to.deep.equal([]);

    for (const value of ['x', 'Bearer a.b-c', 'a \t b', '~'.repeat(4_000), '"=,;:/?%40\\'])
      expect(valued(value), value).to.deep.equal([]);
  });

  it('H300: may not have a name of the service, of HTTP or of a trace, in any case', () => {
    for (const name of [
      'accept',
      'Accept-Encoding',
      'baggage',
      'CONNECTION',
      'Content-Length',
      'content-md5',
      'Content-Type',
      'Expect',
      'Host',
      'HTTP2-Settings',
      'Keep-Alive',
      'Proxy-Authorization',
      'proxy-connection',
      'TE',
      'traceparent',
      'Tracestate',
      'Trailer',
      'Transfer-Encoding',
      'Upgrade',
      'User-Agent',
      'webhook-id',
      'Webhook-Signature',
      'X-Service-Attempt',
      'x-service-anything',
    ])
      expect(named(name), name).to.deep.equal(['headers[0].name invalid_value']);
  });

  it('H300: may not have a pseudo-header, or a name that is not a token or could hide an address', () => {
    for (const name of [
      '',
      ':authority',
      'x key',
      'x:',
      'kim%40shop.example',
      'kim@shop',
      'ü',
      'a\r\nb',
    ])
      expect(named(name), name).to.deep.equal(['headers[0].name invalid_format']);
  });

  it('H300: may not have a value that is empty, begins or ends with white space, or could break a line', () => {
    for (const value of ['', ' x', 'x ', '\tx', 'a\r\nb: c', 'a\nb', 'a\0b', 'a\x7fb', 'é', '✓'])
      expect(valued(value), JSON.stringify(value)).to.deep.equal([
        'headers[0].value invalid_value',
      ]);
  });

  it('H300: are at most ten, each name once, whatever its case', () => {
    const ten = Array.from({ length: 10 }, (_, index) => ({ name: `X-${index}`, value: 'x' }));
    expect(issuesOf(...ten)).to.deep.equal([]);
    expect(issuesOf(...ten, { name: 'X-10', value: 'x' })).to.deep.equal([
      'headers too_many_items',
    ]);
    expect(
      issuesOf({ name: 'X-Key', value: '1' }, { name: 'X-Other' }, { name: 'x-key', value: '2' }),
    ).to.deep.equal(['headers[2].name invalid_value']);
  });

  it('H300: have at most 4,096 bytes of names and values together', () => {
    const headers = (length: number) => [
      { name: 'X-1', value: 'x'.repeat(2_000) },
      { name: 'X-2', value: 'x'.repeat(length) },
    ];
    expect(issuesOf(...headers(2_090))).to.deep.equal([]);
    expect(issuesOf(...headers(2_091))).to.deep.equal(['headers too_long']);
  });

  it('H302: are for requests to the scheme, host and port for which they were set, and no others', () => {
    const headers = [['Authorization', 'x']] as const;
    const opened = { origin: 'https://shop.example:8443', headers };
    for (const url of ['https://shop.example:8443/', 'https://SHOP.example:8443/other?a=1'])
      expect(headersFor(opened, url), url).to.equal(headers);

    for (const url of [
      'https://shop.example/',
      'https://a.shop.example:8443/',
      'https://shop.example.evil:8443/',
      'http://shop.example:8443/',
      'https://shop.example:8443@evil.example/',
      'no url',
    ])
      expect(headersFor(opened, url), url).to.deep.equal([]);
  });

  it('H302: are shown as not sent when they were set for another origin, or when their values are gone', () => {
    const columns = {
      url: 'https://shop.example/hook',
      headerNames: ['Authorization'],
      headersSetAt: new Date(0),
    };
    const sent = (headersOrigin: string | null) =>
      shownHeaders({ ...columns, headersOrigin })?.sent;
    expect(sent('https://shop.example')).to.equal(true);
    expect(sent('https://other.example')).to.equal(false);
    expect(sent(null)).to.equal(false);
    const none = { ...columns, headerNames: null, headersOrigin: null, headersSetAt: null };
    expect(shownHeaders(none)).to.equal(null);
  });
});
