import { expect } from 'chai';
import { Sessions } from '../../../src/outbound/sessions.js';

describe('TLS sessions', () => {
  it('are kept by destination, the newest only, for a hundred destinations', () => {
    const sessions = new Sessions();
    sessions.keep('1', Buffer.from('one'));
    sessions.keep('1', Buffer.from('two'));
    expect(sessions.of('1')?.toString()).to.equal('two');
    expect(sessions.of('0')).to.equal(undefined);
    for (let place = 2; place <= 101; place += 1) sessions.keep(`${place}`, Buffer.from('x'));
    expect(sessions.of('1')).to.equal(undefined);
    expect(sessions.of('2')?.toString()).to.equal('x');
  });
});
