import { expect } from 'chai';
import { Sessions } from '../../../src/outbound/sessions.js';

describe('TLS sessions', () => {
  it('are kept by name and port, the newest only, for a hundred destinations', () => {
    const sessions = new Sessions();
    const to = (port: number) => ({ host: 'a.example', port });
    sessions.keep(to(1), Buffer.from('one'));
    sessions.keep(to(1), Buffer.from('two'));
    expect(sessions.of(to(1))?.toString()).to.equal('two');
    expect(sessions.of({ host: 'b.example', port: 1 })).to.equal(undefined);
    for (let port = 2; port <= 101; port += 1) sessions.keep(to(port), Buffer.from('x'));
    expect(sessions.of(to(1))).to.equal(undefined);
    expect(sessions.of(to(2))?.toString()).to.equal('x');
  });
});
