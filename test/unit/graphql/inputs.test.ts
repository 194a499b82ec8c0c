import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.js';
import { patch, present } from '../../../src/graphql/inputs.js';

interface Changes {
  url?: string | null;
  notificationEmail?: string | null;
  description?: string | null;
}

describe('present', () => {
  it('leaves out what is null or undefined', () => {
    expect(present({ a: 1, b: null, c: undefined, d: false })).to.deep.equal({ a: 1, d: false });
  });
});

describe('patch', () => {
  it('keeps absent, null and value apart (H19)', () => {
    const changes: Changes = { url: 'https://a.example', description: null };
    expect(patch(changes, ['description'])).to.deep.equal(changes);
    expect(patch({} as Changes, ['description'])).to.deep.equal({});
  });

  it('refuses every null that is not allowed, by its public name (H19)', () => {
    const changes: Changes = { url: null, notificationEmail: null, description: null };
    expect(() => patch(changes, ['description']))
      .to.throw(DomainError)
      .with.property('errors')
      .that.deep.equals([
        { code: 'invalid_type', detail: 'Must not be null.', param: 'url' },
        { code: 'invalid_type', detail: 'Must not be null.', param: 'notification_email' },
      ]);
  });
});
