import { expect } from 'chai';
import fc from 'fast-check';
import {
  changesOf,
  draftOf,
  isComplete,
  parseRateLimit,
  shownUrlIssue,
  urlIssue,
} from '../../../dashboard/src/pages/endpoints/endpoint-rules.js';
import { endpointChoices } from '../../../dashboard/src/pages/endpoints/host.js';
import { endpointUrlIssues } from '../../../src/domain/endpoint/endpoint-url.js';

const endpoint = {
  url: 'https://example.com/hooks',
  description: null,
  notificationEmail: 'ada@example.com',
  eventTypes: ['a', 'b'],
};

describe('the form of an endpoint', () => {
  it('says what is wrong with a URL', () => {
    const issues = {
      'http://example.com': 'scheme',
      'https://': 'host',
      'https:///x': 'host',
      'https://a b.example': 'space',
      'https://ada:pw@example.com': 'userInfo',
      'https://example.com/#top': 'fragment',
      'https://exa[mple.com': 'invalid',
      [`https://example.com/${'x'.repeat(2_048)}`]: 'tooLong',
      'https://example.com/a@b?c=d': undefined,
    };
    for (const [url, issue] of Object.entries(issues)) expect(urlIssue(url), url).to.equal(issue);
  });

  it('accepts every URL that the service accepts', () => {
    const part = fc.stringMatching(/^[a-z0-9./?@:#%[\]\\ é-]{0,12}$/);
    const url = fc.tuple(fc.constantFrom('https://', 'https:/', 'http://', ''), part, part);
    fc.assert(
      fc.property(url, (parts) => {
        const text = parts.join('');
        const accepted = endpointUrlIssues(text, { kind: 'none' }).length === 0;
        if (accepted) expect(urlIssue(text), text).to.equal(undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('reports an unfinished URL only after the field loses the focus', () => {
    for (const typed of ['', 'h', 'https', 'https://']) {
      expect(shownUrlIssue(typed, false), typed).to.equal(undefined);
      expect(shownUrlIssue(typed, true), typed).not.to.equal(undefined);
    }
    expect(shownUrlIssue('http://', false)).to.equal('scheme');
  });

  it('sends only what changed', () => {
    const draft = draftOf(endpoint);
    expect(changesOf(endpoint, draft)).to.deep.equal({});
    expect(changesOf(endpoint, { ...draft, eventTypes: ['b', 'a'] })).to.deep.equal({});
    expect(changesOf(endpoint, { ...draft, eventTypes: ['b'] })).to.deep.equal({
      eventTypes: ['b'],
    });
    const described = { ...endpoint, description: 'Orders' };
    expect(changesOf(described, { ...draft, description: ' ' })).to.deep.equal({
      description: null,
    });
  });

  it('accepts a rate limit from 1 to 1,000, or an empty field for no limit', () => {
    expect([' 5 ', '1', '1000', ''].map(parseRateLimit)).to.deep.equal([5, 1, 1_000, null]);
    const wrong = ['0', '1001', '-1', '1.5', '1e2', 'x', '99999'];
    expect(wrong.map(parseRateLimit)).to.deep.equal(wrong.map(() => undefined));
  });

  it('the form is complete with a URL and an event type', () => {
    const draft = draftOf(endpoint);
    expect(isComplete(draft)).to.equal(true);
    expect(isComplete({ ...draft, eventTypes: [] })).to.equal(false);
    expect(isComplete({ ...draft, url: 'https://' })).to.equal(false);
  });
});

describe('a choice of endpoints', () => {
  const choice = (id: string, url: string, description: string | null = null) => ({
    id,
    url,
    description,
  });

  it('names endpoints by host and path, and by description and id where these are equal', () => {
    const choices = endpointChoices([
      choice('whs_1', 'https://a.example/hooks?secret=1', 'Orders'),
      choice('whs_2', 'https://a.example/hooks?secret=2'),
      choice('whs_3', 'https://a.example/hooks', 'Orders'),
      choice('whs_4', 'https://a.example/others', 'Orders'),
      choice('whs_5', 'https://a.example/hooks', `${'é'.repeat(39)}ü`),
    ]);

    expect(choices).to.deep.equal([
      ['whs_1', 'a.example/hooks · Orders · whs_1'],
      ['whs_2', 'a.example/hooks · whs_2'],
      ['whs_3', 'a.example/hooks · Orders · whs_3'],
      ['whs_4', 'a.example/others'],
      ['whs_5', `a.example/hooks · ${'é'.repeat(39)}… · whs_5`],
    ]);

    expect(new Set(choices.map(([, name]) => name)).size).to.equal(choices.length);
  });
});
