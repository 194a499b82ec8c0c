import { expect } from 'chai';
import { acceptsJson } from '../../../src/rest/negotiation.js';

describe('content negotiation (H93)', () => {
  const accepted = [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/*',
    'application/problem+json',
    'text/html, application/json;q=0.1',
    'Application/JSON; charset=utf-8',
    'text/html;q=0.9, */*;q=0.1',
    'application/json;q=0, application/problem+json',
    '*/*;q=0, application/json',
  ];
  for (const accept of accepted) {
    it(`sends JSON to ${accept === undefined ? 'no Accept header' : `"${accept}"`}`, () => {
      expect(acceptsJson(accept)).to.equal(true);
    });
  }

  const refused = [
    'text/html',
    'application/xml, text/*',
    'application/json;q=0',
    'application/json;q=0, application/problem+json;q=0, */*',
    '*/*;q=0',
    'application/*;q=0, text/html',
  ];
  for (const accept of refused) {
    it(`has nothing for "${accept}"`, () => {
      expect(acceptsJson(accept)).to.equal(false);
    });
  }
});
