import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import {
  describeError,
  OutageWarnings,
  prettyLogLine,
  redactIds,
  redactPath,
} from '../../../src/process/log.js';
import { childSettings } from '../../../tools/launcher/embedded-environment.js';

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
    it(`the log is complete when the process ${title}`, () => {
      expect(linesOf(end)).to.deep.equal(all);
    });
  }

  it('the log is complete up to the last warning when the process is killed', () => {
    const killed = "log.warn({ n: 500 }, 'a warning'); process.kill(process.pid, 'SIGKILL');";
    expect(linesOf(killed)).to.deep.equal([...all, 500]);
  });
});

describe('warnings while PostgreSQL is unavailable', () => {
  const broken = (message = 'Connection terminated unexpectedly') => new Error(message);

  /** What is logged of one warning; undefined if it is left out. */
  function logged(warnings: OutageWarnings, members: object | string, message?: string) {
    const args = [members, message];
    return warnings.admit(args) ? args[0] : undefined;
  }

  it('logs warnings of an outage once in ten seconds, without a stack, with the number of those left out', () => {
    let now = 0;
    const warnings = new OutageWarnings(() => now);
    const first = logged(warnings, { err: broken() }, 'database connection lost');
    expect(first).to.deep.equal({ reason: 'Connection terminated unexpectedly' });
    for (let count = 0; count < 29; count += 1)
      expect(logged(warnings, { err: broken() }, 'database connection lost')).to.equal(undefined);

    now = 9_999;
    expect(logged(warnings, { err: broken() }, 'database connection lost')).to.equal(undefined);

    const refused = Object.assign(broken('starting up'), { code: '57P03' });
    expect(logged(warnings, { err: refused }, 'polling failed')).to.deep.equal({
      reason: 'starting up',
    });

    now = 10_000;

    const later = { reason: 'starting up', left_out: 30 };
    expect(logged(warnings, { err: refused }, 'database connection lost')).to.deep.equal(later);
  });

  it('logs every warning that names something', () => {
    const warnings = new OutageWarnings(() => 0);
    for (const notice of ['ntc_1', 'ntc_2', 'ntc_2']) {
      const members = { err: broken(), notice };
      expect(logged(warnings, members, 'could not record a notice')).to.deep.equal({
        notice,
        reason: 'Connection terminated unexpectedly',
      });
    }
  });

  it('keeps the stack of every other error', () => {
    const warnings = new OutageWarnings(() => 0);
    for (const members of [{ err: new TypeError('a bug') }, { path: '/' }, 'only text'])
      expect([1, 2].map(() => logged(warnings, members, 'odd'))).to.deep.equal([members, members]);
  });
});

describe('errors in the log', () => {
  it('logs type, message, code and stack of an error, and drops what a library has attached', () => {
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

  it('logs at most three causes of an error', () => {
    const chain = [1, 2, 3, 4, 5].reduce<Error>(
      (cause, depth) => new Error(`level ${depth}`, { cause }),
      new Error('root'),
    );
    expect(JSON.stringify(describeError(chain)))
      .to.contain('level 2')
      .and.not.to.contain('level 1');
  });
});

const base = { level: 30, time: '2026-11-23T09:10:11.123Z', process: 'api', pid: 42 };
const shown = (line: object) =>
  prettyLogLine(JSON.stringify({ ...base, ...line })).replace(/^\d\d:\d\d:\d\d /, '');

describe('a pretty log line', () => {
  it('a pretty line has the time, the process, the message and the important members of a request', () => {
    const request = {
      request_id: 'req_1',
      operation: 'endpoints.list',
      method: 'GET',
      path: '/v1/webhooks/endpoints',
      status: 200,
      duration_ms: 3.4,
      account: 'acc_1',
    };

    expect(prettyLogLine(JSON.stringify({ ...base, msg: 'request' }))).to.match(
      /^\d\d:\d\d:11 api {4}request\n$/,
    );
    expect(shown({ ...request, msg: 'request' })).to.equal(
      'api    request request_id=req_1 GET /v1/webhooks/endpoints 200 3.4 ms\n',
    );
  });

  it('labels a warning, and shows the stack of an error and of its cause', () => {
    const cause = { type: 'Error', message: 'inner', stack: 'Error: inner\n    at b (y.ts:2:1)' };
    const err = {
      type: 'TypeError',
      message: 'two\nlines',
      code: 'E1',
      stack: 'x\n    at a',
      cause,
    };

    expect(shown({ level: 40, msg: 'late' })).to.equal('api    WARN late\n');

    expect(shown({ level: 50, msg: 'request failed', err })).to.equal(
      [
        'api    ERROR request failed',
        '  TypeError: two',
        '  lines (E1)',
        '      at a',
        '  caused by:',
        '  Error: inner',
        '      at b (y.ts:2:1)\n',
      ].join('\n'),
    );
  });

  it('the text of a client neither begins a line nor controls the terminal', () => {
    expect(shown({ path: '/a\n09:10:11 api\u001b[2J\u202e', msg: 'request' })).to.equal(
      'api    request /a\\n09:10:11 api\\u001b[2J\\u202e\n',
    );
    expect(shown({ err: { message: 'a\u001b[2J' }, msg: 'm' })).to.contain('Error: a\\u001b[2J');
  });

  it('returns text that is not JSON unchanged', () => {
    expect(prettyLogLine('Killed\n')).to.equal('Killed\n');
  });

  it('a process with the format human writes pretty lines, with shortened ids of pages', () => {
    const file = new URL('../../../src/process/log.js', import.meta.url).href;
    const program = `
      import { createLogger } from ${JSON.stringify(file)};
      createLogger('worker', 'info', 'human').info({ path: '/checkout/chk_12345678abcdef' }, 'm');`;
    const words = ['--input-type=module', '--eval', program];
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(stdout).to.match(/^\d\d:\d\d:\d\d worker m \/checkout\/chk_12345678…\n$/);
  });

  it('pretty lines are the default on a terminal, unless LOG_FORMAT is set', () => {
    expect(childSettings({}, '/data', true)).to.eql({ LOG_FORMAT: 'human', DATA_DIR: '/data' });
    expect(childSettings({}, '/data', false)).to.eql({ DATA_DIR: '/data' });
    const json = { LOG_FORMAT: 'json' };
    expect(childSettings(json, '/data', true)).to.eql({ ...json, DATA_DIR: '/data' });
  });
});

const id = 'chk_0VbZhtKChz5muOrEm8zyydrf';

describe('an id that opens a page, in the log', () => {
  it('logs only prefix and time of an id that opens a page, wherever it appears', () => {
    const text = String.raw`{"err":{"message":"no\n${id}"},"about":"off_0VbZhtKChz5muOrEm8zyydrf"}`;
    expect(redactIds(text)).to.equal(
      String.raw`{"err":{"message":"no\nchk_0VbZhtKC…"},"about":"off_0VbZhtKC…"}`,
    );
  });

  it('shortens an id that opens a page in paths, too, however they are encoded', () => {
    expect(redactPath(`/checkout/${id}/embed`)).to.equal('/checkout/chk_0VbZhtKC…/embed');
    expect(redactPath(`/v1/commerce/checkouts/${id}`)).to.equal(
      '/v1/commerce/checkouts/chk_0VbZhtKC…',
    );
    for (const [from, to] of ['_%5F', 'c%63', '0%30'].map((pair) => [pair[0]!, pair.slice(1)])) {
      expect(redactPath(`/v1/x/${id.replace(from!, to!)}`)).to.equal('/v1/x/chk_0VbZhtKC…');
    }
  });

  it('leaves other ids unchanged', () => {
    for (const path of ['/offer/', '/offer/nothing', '/v1/webhooks/endpoints/whs_0VbZhtKChz5muO']) {
      expect(redactPath(path)).to.equal(path);
    }
    expect(redactPath('/%E0%A4%A')).to.equal('/%E0%A4%A');
  });
});
