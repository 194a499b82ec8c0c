import { expect } from 'chai';
import { describeError } from '../../src/log.js';

describe('errors in the log', () => {
  it('say what went wrong and where, and nothing that a library has attached', () => {
    const error = Object.assign(new Error('WRONGPASS', { cause: new Error('inner') }), {
      code: '28P01',
      command: { name: 'auth', args: ['user', 'hunter2'] },
      parameters: ['buyer@example.com'],
      detail: 'Key (email)=(buyer@example.com) already exists.',
      query: 'insert into member',
    });
    const described = describeError(error);
    expect(described).to.include({ type: 'Error', message: 'WRONGPASS', code: '28P01' });
    expect(described?.cause).to.include({ message: 'inner' });
    expect(JSON.stringify(described)).not.to.match(/hunter2|buyer@example|insert into/);
  });

  it('end at the third cause', () => {
    const chain = [1, 2, 3, 4, 5].reduce<Error>(
      (cause, depth) => new Error(`level ${depth}`, { cause }),
      new Error('root'),
    );
    expect(JSON.stringify(describeError(chain)))
      .to.contain('level 2')
      .and.not.to.contain('level 1');
  });
});
