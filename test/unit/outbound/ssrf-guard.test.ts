import { expect } from 'chai';
import { createEgressPolicy } from '../../../src/domain/endpoint/egress-policy.js';
import type { PrivateTargets } from '../../../src/domain/values/private-targets.js';
import {
  BlockedDestination,
  checkAddresses,
  createTargetParser,
} from '../../../src/outbound/ssrf-guard.js';
import type { ResolvedAddress } from '../../../src/outbound/resolve.js';
import * as fc from 'fast-check';
import { endpointUrlIssues } from '../../../src/domain/endpoint/endpoint-url.js';
import { parseUrl } from '../../../src/domain/values/url.js';
import { contract } from '../../../src/http/rest/contract.js';

describe('the check of resolved addresses', () => {
  const v4 = { address: '1.1.1.1', family: 4 } as const;
  const v6 = { address: '2606:4700::1111', family: 6 } as const;
  const inside = { address: '10.0.0.1', family: 4 } as const;

  const check = (answer: readonly ResolvedAddress[], policy: PrivateTargets = { kind: 'none' }) =>
    checkAddresses(answer, createEgressPolicy(policy));

  it('lets public addresses of both families through', () => {
    expect(check([v4, v6])).to.deep.equal([v4, v6]);
  });

  it('refuses the whole answer when one address of it is closed', () => {
    for (const answer of [[inside], [v4, inside], [inside, v6], [v6, v4, inside]]) {
      expect(() => check(answer))
        .to.throw(BlockedDestination)
        .that.has.property('message')
        .that.does.not.match(/\d/);
    }
  });

  it('lets an address through that the operator opened', () => {
    expect(check([inside], { kind: 'private' })).to.deep.equal([inside]);
  });
});

/** Where a url leads. */
interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly query: string;
}

/** RFC 3986, its sections 3.2.2 to 3.4 to the letter; undefined when the text is no such URI. */
const unreserved = '\\w.~\\-';
const subDelims = "!$&'()*+,;=";
const encoded = '%[\\da-fA-F]{2}';
const uri = new RegExp(
  `^https://(\\[[\\da-fA-F:.]+\\]|(?:[${unreserved}${subDelims}]|${encoded})+)` +
    `(?::(\\d*))?((?:/(?:[${unreserved}${subDelims}:@]|${encoded})*)*)` +
    `(?:\\?((?:[${unreserved}${subDelims}:@/?]|${encoded})*))?$`,
);

/** A reader that knows RFC 3986 and nothing of WHATWG's repairs. */
function readStrictly(url: string): Target | undefined {
  const [, host, port, path = '', query = ''] = uri.exec(url) ?? [];
  if (host === undefined || port === '') return undefined;
  const readPort = Number(port ?? 443);
  return { host: host.toLowerCase(), port: readPort, path: withoutDots(path), query: same(query) };
}

/** Browsers encode this one in a query; it means the same. */
function same(query: string): string {
  return query.replaceAll('%27', "'");
}

/** RFC 3986 sections 6.2.2.2 and 6.2.2.3, as far as they concern dots. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = (path || '/').split('/').slice(1);
  for (const [at, segment] of segments.entries()) {
    const plain = segment.replace(/%2e/gi, '.');
    const isDots = plain === '.' || plain === '..';
    if (plain === '..') kept.pop();
    if (!isDots) kept.push(segment);
    else if (at === segments.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`;
}

function readByBrowsers(url: string): Target {
  const { hostname, port, pathname, search } = new URL(url);
  const query = same(search.slice(1));
  return { host: hostname, port: Number(port || 443), path: pathname, query };
}

const bits = [
  'a',
  'B',
  '7',
  '0',
  '.',
  '..',
  '-',
  '_',
  '~',
  '/',
  '//',
  '/./',
  '/../',
  '/%2E%2e/',
  '\\',
  '@',
  ':',
  ':443',
  ':0',
  ':8443',
  ':00',
  ':65535',
  '?',
  '#',
  '[',
  ']',
  '[::1]',
  '%',
  '%41',
  '%2F',
  '%zz',
  '%u0041',
  '"',
  '<',
  '|',
  '{',
  '^',
  '`',
  ' ',
  '\t',
  '\n',
  '\0',
  "'",
  '!',
  '$',
  '&',
  ';',
  '=',
  '+',
  ',',
  '0x',
  '127.1',
  '134744072',
  '8.8.8.8',
  'xn--',
  'localhost',
  'é',
  '。',
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...bits), { maxLength: 8 }).map((all) => all.join('')),
  fc.string({ maxLength: 12, unit: 'grapheme-ascii' }),
);
const host = fc.oneof(
  fc.constantFrom('a.example', 'A.b.example', '8.8.8.8', '[2606:4700::1]'),
  text,
);
const urls = fc
  .tuple(
    host,
    fc.constantFrom('', '', ':8443', ':443', ':'),
    fc.constantFrom('', '/', '?', '/?'),
    text,
  )
  .map((parts) => `https://${parts.join('')}`);

describe('an accepted endpoint url', () => {
  it('H117: an accepted URL leads to one host, port and path for a strict reader of RFC 3986 and for browsers', () => {
    let accepted = 0;
    fc.assert(
      fc.property(urls, (url) => {
        if (endpointUrlIssues(url, { kind: 'private' }).length > 0) return;
        accepted += 1;
        // What is not ASCII is no URI but an IRI, of which RFC 3986 says nothing.
        if (/[^\0-\x7f]/.test(url)) return;
        const browsers = readByBrowsers(url);
        const strict = readStrictly(url);
        // Both forms of one address; RFC 5952 is about one of them only.
        const address = browsers.host.startsWith('[') ? { host: browsers.host } : {};
        expect({ ...strict, ...address }).to.deep.equal(browsers);
      }),
      { numRuns: 20_000 },
    );

    expect(accepted).to.be.above(2_000);
  });

  it('H117, H266: an accepted URL has no path with dots, which parsers remove and that of Node 20 leaves', () => {
    for (const url of ['https://a.example/b/.a/../c', 'https://a.example//.a/./%2E%2e/']) {
      const isAccepted = endpointUrlIssues(url, { kind: 'private' }).length === 0;
      expect(isAccepted, url).to.equal(false);
    }
  });

  it('H266: an accepted URL is called with the path and query that it has', () => {
    const parse = createTargetParser(() => true);
    const properties = fc.property(urls, (url) => {
      if (endpointUrlIssues(url, { kind: 'private' }).length > 0) return;
      const target = parse(url);
      const written = /^https:\/\/[^/?]+(.*)$/s.exec(encodeURI(url).replaceAll('%25', '%'))?.[1];
      expect(target, url).to.have.property('path');
      expect('path' in target && target.path, url).to.equal(
        written?.startsWith('/') ? written : `/${written}`,
      );
    });
    fc.assert(properties, { numRuns: 20_000 });
  });

  it('H4: an accepted URL is called after thousands of others, also if it has umlauts', () => {
    const parse = createTargetParser(() => true);
    for (let number = 0; number < 20_000; number += 1) {
      // A flat string, as the database gives one, and not a concatenation.
      const target = parse(Buffer.from(`https://bücher.example/${number}`).toString());
      expect(target).to.deep.equal({ origin: 'https://xn--bcher-kva.example', path: `/${number}` });
    }
  });

  it('H266: a URL that an earlier release stored is called unchanged', () => {
    const parse = createTargetParser(() => true);
    const called = {
      'https://a.example/p?': '/p?',
      "https://a.example/it's?q='x'": "/it's?q='x'",
      'https://a.example?': '/?',
      'https://a.example/ü?ü=\u{1f600}': '/%C3%BC?%C3%BC=%F0%9F%98%80',
      'https://a.example/a/../b': '/b',
      "https://a.example/a/%2e%2e/b?'": '/b?%27',
      'https://a.example\\hook': '/hook',
      'https://a.example/{id}?a b#top': '/%7Bid%7D?a%20b',
      'HTTPS://a.example/A?': '/A',
    };
    for (const [url, path] of Object.entries(called)) {
      expect(parse(url), url).to.deep.equal({ origin: 'https://a.example', path });
    }
  });

  it('H117: refuses a URL only where a strict reader finds no URI or the readers differ', () => {
    fc.assert(
      fc.property(urls, (url) => {
        const [refusal] = endpointUrlIssues(url, { kind: 'private' });
        const strict = readStrictly(url);
        if (!refusal || refusal.code !== 'invalid_format' || !strict || !parseUrl(url)) return;
        const { port, host: read, path } = readByBrowsers(url);
        const leadsElsewhere =
          (read !== strict.host && !read.startsWith('[')) || path !== strict.path;
        const hasDots = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(url);
        const isNoName = !/^(?:[^.]{1,63}\.)*[^.]{1,63}\.?$/.test(read);
        const oddPort = strict.port === 0 || /:0\d*(?:[/?]|$)/.test(url) || port !== strict.port;
        expect(leadsElsewhere || oddPort || hasDots || isNoName, url).to.equal(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('H117: an accepted URL has the form that OpenAPI describes', () => {
    const { schema } = contract['webhooks.endpoints.create'].body!;
    const { properties: described } = schema as { properties: { url: { pattern: string } } };
    const pattern = new RegExp(described.url.pattern, 'u');
    const properties = fc.property(urls, (url) => {
      if (endpointUrlIssues(url, { kind: 'private' }).length > 0) return;
      expect(pattern.test(url), url).to.equal(true);
    });

    fc.assert(properties, { numRuns: 20_000 });

    for (const url of [
      'https://a.example/\\',
      'https://a.example/%4',
      'https://%61.example',
      'https:///',
    ]) {
      expect(pattern.test(url), url).to.equal(false);
    }
  });
});
