import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { describeError } from '../../../src/process/log.js';

describe('the log of a process', () => {
  const file = new URL('../../../src/process/log.js', import.meta.url).href;

  /** The numbers of the lines that a process has written which ends so. */
  function linesOf(end: string): number[] {
    const program = `
      import { createLogger } from ${JSON.stringify(file)};
      const log = createLogger('ends', 'info');
      for (let n = 0; n < 500; n += 1) log.info({ n }, 'a line');
      ${end}`;
    const arguments_ = ['--input-type=module', '--eval', program];
    const { stdout } = spawnSync(process.execPath, arguments_, { encoding: 'utf8' });
    return stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);
  }
  const all = Array.from({ length: 500 }, (_, n) => n);

  for (const [title, end] of Object.entries({
    'ends by itself': '',
    'is ended': 'process.exit(0);',
    crashes: "throw new Error('as a bug does');",
    'is told to stop':
      "process.on('SIGTERM', () => process.exit(0)); process.kill(process.pid);setInterval(() => 0, 1000);",
    'is killed two seconds later': "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000);",
  })) {
    it(`is whole when it ${title}`, () => {
      expect(linesOf(end)).to.deep.equal(all);
    });
  }

  it('is whole up to a warning when it is killed', () => {
    const killed = "log.warn({ n: 500 }, 'a warning'); process.kill(process.pid, 'SIGKILL');";
    expect(linesOf(killed)).to.deep.equal([...all, 500]);
  });
});

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
