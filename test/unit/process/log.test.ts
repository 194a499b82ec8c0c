import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { describeError, OutageWarnings } from '../../../src/process/log.js';

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

describe('warnings while PostgreSQL is away', () => {
  const broken = (message = 'Connection terminated unexpectedly') => new Error(message);

  /** What is logged of one warning; undefined if it is left out. */
  function logged(warnings: OutageWarnings, members: object | string, message?: string) {
    const args = [members, message];
    return warnings.admit(args) ? args[0] : undefined;
  }

  it('say once in ten seconds what is lost, without a stack, and how often since', () => {
    let now = 0;
    const warnings = new OutageWarnings(() => now);
    const first = logged(warnings, { err: broken() }, 'database connection lost');
    expect(first).to.deep.equal({ reason: 'Connection terminated unexpectedly' });
    for (let count = 0; count < 29; count += 1)
      expect(logged(warnings, { err: broken() }, 'database connection lost')).to.equal(undefined);

    now = 9_999;
    expect(logged(warnings, { err: broken() }, 'database connection lost')).to.equal(undefined);

    const refused = Object.assign(broken('starting up'), { code: '57P03' });
    expect(logged(warnings, { err: refused }, 'could not poll')).to.deep.equal({
      reason: 'starting up',
    });

    now = 10_000;

    const later = { reason: 'starting up', left_out: 30 };
    expect(logged(warnings, { err: refused }, 'database connection lost')).to.deep.equal(later);
  });

  it('are all there if they name something', () => {
    const warnings = new OutageWarnings(() => 0);
    for (const notice of ['ntc_1', 'ntc_2', 'ntc_2']) {
      const members = { err: broken(), notice };
      expect(logged(warnings, members, 'could not record a notice')).to.deep.equal({
        notice,
        reason: 'Connection terminated unexpectedly',
      });
    }
  });

  it('leave every other error whole', () => {
    const warnings = new OutageWarnings(() => 0);
    for (const members of [{ err: new TypeError('a bug') }, { path: '/' }, 'only text'])
      expect([1, 2].map(() => logged(warnings, members, 'odd'))).to.deep.equal([members, members]);
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
