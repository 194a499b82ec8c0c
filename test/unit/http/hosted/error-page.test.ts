import { expect } from 'chai';
import { DomainError } from '../../../../src/domain/errors.js';
import { renderErrorPage } from '../../../../src/http/hosted/page.js';
import { problems, toProblem, ApiError } from '../../../../src/http/problems.js';

const rendered = (error: unknown) =>
  renderErrorPage(toProblem(error, 'https://api.example', 'req_1'));

describe('renderErrorPage', () => {
  it('keeps the headers that say how to go on, and shows no detail for programs', () => {
    const headers = { 'Retry-After': '7', Allow: 'GET' };
    for (const code of Object.keys(problems) as (keyof typeof problems)[]) {
      const page = rendered(new ApiError(code, 'a detail for programs', { headers }));
      expect(page.headers, code).to.include({
        ...headers,
        'Content-Type': 'text/html; charset=utf-8',
      });
      expect(page.text, code)
        .to.match(/<h1>[^<]+<\/h1>/)
        .and.not.to.include('detail for programs');
    }
  });

  it('says of an internal error that nothing was paid twice, and nothing else', () => {
    const { text } = rendered(new Error('relation "checkout" does not exist'));
    expect(text).to.include('not pay twice').and.not.to.include('relation');
  });

  it('forbids framing for every error', () => {
    const { headers } = rendered(new DomainError('not_found', 'No checkout with this id.'));
    expect(headers['Content-Security-Policy']).to.match(/frame-ancestors 'none'$/);
  });
});
