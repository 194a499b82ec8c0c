import { expect } from 'chai';
import { acceptsCoding, preferredType } from '../../../src/http/headers.js';

describe('content negotiation (H93, H267)', () => {
  const json = 'application/json';
  const problem = 'application/problem+json';
  const html = 'text/html';

  const chosen = [
    [undefined, json],
    ['', json],
    [' , ', json],
    ['*/*', json],
    ['application/*', json],
    ['text/*', html],
    [json, json],
    [problem, problem],
    [html, html],
    ['Application/JSON; charset=utf-8', json],
    ['application/json;charset="utf-8"', json],
    ['application/json ; Q = 0.1', json],
    // The quality decides, then the more specific range, then the order of the client.
    ['text/html, application/json;q=0.1', html],
    ['text/html;q=0.1, application/json;q=0.2', json],
    ['*/*, text/html', html],
    ['text/html;q=0.9, */*;q=0.1', html],
    ['text/html;charset=utf-8, application/json;charset=utf-8', html],
    ['application/json, text/html', json],
    // A forbidden type loses to a range that matches it less exactly.
    ['application/json;q=0, application/problem+json', problem],
    ['application/json;q=0, */*', problem],
    ['*/*;q=0, application/json', json],
    // Of equal ranges the one counts that wants the type most.
    ['application/json;version=2;q=0, application/json', json],
    // A weight that is none does not matter: only 0 forbids.
    ['application/json;q=', json],
    ['application/json;q= ;charset=utf-8', json],
    ['application/json;q=-1', json],
    ['application/json;q=0x0', json],
    ['application/json;q="0"', json],
    ['text/html;q=5, application/json', html],
    ['application/json, text/html;q=5', json],
    ['application/json;q=0.', undefined],
    ['application/json;q=0.0000', undefined],
    ['application/json;q=.5, text/html;q=0.6', html],
    // A quoted string may hold separators.
    ['application/json;profile="a,b;q=0,c", text/html;q=0.5', json],
    ['text/csv;note="\\",application/json"', undefined],
    ['text/csv;note="application/json', undefined],
    ['image/png', undefined],
    ['application/xml, text/plain', undefined],
    ['application/json;q=0', undefined],
    ['*/*;q=0', undefined],
    ['*', undefined],
  ] as const;
  for (const [accept, type] of chosen) {
    it(`chooses ${type ?? 'no type'} for ${accept === undefined ? 'no header' : `"${accept}"`}`, () => {
      expect(preferredType(accept, [json, problem, html])).to.equal(type);
    });
  }

  const codings = [
    [undefined, false],
    ['', false],
    ['gzip', false],
    ['br', true],
    ['gzip, BR;q=0.1', true],
    ['br;q=', true],
    ['gzip, br; q=0.000', false],
  ] as const;
  for (const [header, accepted] of codings) {
    it(`${accepted ? 'sends' : 'does not send'} brotli for ${header === undefined ? 'no header' : `"${header}"`}`, () => {
      expect(acceptsCoding(header, 'br')).to.equal(accepted);
    });
  }
});
