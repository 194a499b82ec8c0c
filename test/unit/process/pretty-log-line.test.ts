import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { prettyLogLine } from '../../../src/process/log.js';
import { childSettings } from '../../../tools/launcher/embedded-environment.js';

const base = { level: 30, time: '2026-11-23T09:10:11.123Z', process: 'api', pid: 42 };
const shown = (line: object) =>
  prettyLogLine(JSON.stringify({ ...base, ...line })).replace(/^\d\d:\d\d:\d\d /, '');

describe('a log line for a person', () => {
  it('has the time, the process, the message and what matters of a request', () => {
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

  it('names a warning, and shows where an error and its cause come from', () => {
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

  it('lets no text of a client begin a line or control the terminal', () => {
    expect(shown({ path: '/a\n09:10:11 api\u001b[2J\u202e', msg: 'request' })).to.equal(
      'api    request /a\\n09:10:11 api\\u001b[2J\\u202e\n',
    );
    expect(shown({ err: { message: 'a\u001b[2J' }, msg: 'm' })).to.contain('Error: a\\u001b[2J');
  });

  it('keeps text that is no JSON', () => {
    expect(prettyLogLine('Killed\n')).to.equal('Killed\n');
  });

  it('is what a process with that format writes, with shortened ids of pages', () => {
    const file = new URL('../../../src/process/log.js', import.meta.url).href;
    const program = `
      import { createLogger } from ${JSON.stringify(file)};
      createLogger('worker', 'info', 'human').info({ path: '/checkout/chk_12345678abcdef' }, 'm');`;
    const words = ['--input-type=module', '--eval', program];
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(stdout).to.match(/^\d\d:\d\d:\d\d worker m \/checkout\/chk_12345678…\n$/);
  });

  it('is the form on a terminal, unless LOG_FORMAT is set', () => {
    expect(childSettings({}, '/data', true)).to.eql({ LOG_FORMAT: 'human', DATA_DIR: '/data' });
    expect(childSettings({}, '/data', false)).to.eql({ DATA_DIR: '/data' });
    const json = { LOG_FORMAT: 'json' };
    expect(childSettings(json, '/data', true)).to.eql({ ...json, DATA_DIR: '/data' });
  });
});
