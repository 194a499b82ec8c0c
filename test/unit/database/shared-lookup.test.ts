import dns from 'node:dns';
import { expect } from 'chai';
import { stateOf } from '../../../src/database/primary.js';

describe('a host of the database whose name is looked up slowly', () => {
  const { lookup } = dns;
  const pending: ((error: Error) => void)[] = [];

  before(() => {
    const slow = (_name: string, _options: unknown, callback: (error: Error) => void) =>
      void pending.push(callback);
    dns.lookup = slow as never;
  });

  after(() => {
    dns.lookup = lookup;
  });

  it('has one lookup at a time, because each takes one of four threads of the process', async () => {
    const url = 'postgres://user@slow.example/db';
    for (let search = 0; search < 3; search += 1) {
      const failure = await stateOf(url).catch((error: unknown) => error);
      expect(failure).to.be.an('error');
    }
    expect(pending).to.have.lengthOf(1);
    for (const fail of pending) fail(new Error('no such name'));
    await stateOf(url).catch(() => undefined);
    expect(pending, 'the next search looks again').to.have.lengthOf(2);
    for (const fail of pending) fail(new Error('no such name'));
  });
});
