import { expect } from 'chai';
import { createPoster, type Poster } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import * as does from '../../support/behaviours.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver, type Receiver } from '../../support/receiver.js';

const timeoutMs = 400;
const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const kilobyte = Buffer.alloc(1_024, 'x');
const fields = Buffer.from('a: b\r\n'.repeat(200));
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';

describe('a hostile receiver', () => {
  let poster: Poster;
  let receiver: Receiver;

  before(async () => {
    const { caFile } = await testAuthority();
    receiver = await startReceiver();
    poster = createPoster({ timeoutMs, allowPrivateTargets: { kind: 'private' }, caFile });
  });

  after(async () => {
    await poster.close();
    await receiver.close();
  });

  const post = async () => {
    const start = performance.now();
    const { outcome } = await poster.post(receiver.url(), {}, Buffer.from('{}'));
    return { outcome, ms: performance.now() - start };
  };
  const unreachable = (reason: string) => ({ kind: 'unreachable', reason });
  const accepted = { kind: 'accepted', status: 200 };

  const decidedByHeaders: Readonly<Record<string, does.Behaviour>> = {
    'drips its body': does.drip(`${ok}content-length: 999\r\n\r\n`, 'x'.repeat(999), 30),
    'never sends its body': does.raw(`${ok}content-length: 5\r\n\r\n`),
    'sends 10 GB': does.flood(`${ok}content-length: 10000000000\r\n\r\n`, kilobyte),
    'sends chunks without end': does.flood(
      chunked,
      Buffer.from(`400\r\n${kilobyte.toString()}\r\n`),
    ),
    'hides a flood in chunk extensions': does.flood(`${chunked}1;`, kilobyte),
    'sends a flood of trailers': does.flood(`${chunked}0\r\n`, fields),
    'sends a gzip bomb': does.gzipBomb(50_000_000),
    'says gzip and sends none': does.answer(200, { 'content-encoding': 'gzip' }, 'plain'),
    'breaks its chunking': does.raw(`${chunked}zz\r\nnonsense\r\n`),
    'resets after the headers': does.rawThenReset(`${ok}content-length: 5\r\n\r\n`),
    'ends within the body': does.rawThenEnd(`${ok}content-length: 5\r\n\r\nab`),
    'sends more body than it said': does.raw(`${ok}content-length: 2\r\n\r\nabcdef`),
    'speaks HTTP/1.0': does.rawThenEnd('HTTP/1.0 200 OK\r\n\r\nhello'),
  };

  for (const [what, behaviour] of Object.entries(decidedByHeaders)) {
    it(`H64: that ${what} after whole 2xx headers has accepted`, async () => {
      receiver.script(behaviour);
      const { outcome, ms } = await post();
      expect(outcome).to.deep.equal(accepted);
      expect(ms).to.be.below(timeoutMs + 400);
      expect((await post()).outcome).to.deep.equal(accepted);
    });
  }

  it('H64: that answers 500 and breaks off has rejected', async () => {
    receiver.script(does.rawThenReset('HTTP/1.1 500 Oh\r\ncontent-length: 5\r\n\r\n'));
    expect((await post()).outcome).to.deep.equal({ kind: 'rejected', status: 500 });
  });

  const neverAnswers: Readonly<Record<string, [string, does.Behaviour]>> = {
    'says nothing': ['timeout', does.hang],
    'drips its headers': ['timeout', does.drip(`${ok}x: `, 'y'.repeat(999), 30)],
    'sends only a status line': ['timeout', does.raw(ok)],
    'sends one 103 and no more': ['timeout', does.raw(hints)],
    'resets at once': ['connection_reset', does.rawThenReset('')],
    'resets within the headers': ['connection_reset', does.rawThenReset(`${ok}x: `)],
    'closes without an answer': ['connection_reset', does.rawThenEnd('')],
    'sends 1xx without end': ['protocol_error', does.flood('', Buffer.from(hints.repeat(20)))],
    'sends 20 KB of headers': ['protocol_error', does.raw(`${ok}x: ${'y'.repeat(20_480)}\r\n\r\n`)],
    'sends headers without end': ['protocol_error', does.flood(ok, fields)],
    'speaks something else': ['protocol_error', does.raw('SSH-2.0-OpenSSH_9\r\n')],
    'switches protocols': [
      'protocol_error',
      does.raw('HTTP/1.1 101 Yes\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    'sends two lengths': [
      'protocol_error',
      does.raw(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    ],
  };

  for (const [what, [reason, behaviour]] of Object.entries(neverAnswers)) {
    it(`H65: that ${what} is ${reason}, within the deadline`, async () => {
      receiver.script(behaviour);
      const { outcome, ms } = await post();
      expect(outcome).to.deep.equal(unreachable(reason));
      expect(ms).to.be.below(timeoutMs + 400);
      expect((await post()).outcome).to.deep.equal(accepted);
    });
  }

  for (const [what, head] of [
    ['a body', `${ok}content-length: 10000000000\r\n\r\n`],
    ['chunk extensions', `${chunked}1;`],
  ] as const) {
    it(`is not read for long: 10 GB of ${what} cost a few buffers`, async () => {
      let sent = 0;
      const count = (bytes: number) => (sent += bytes);
      receiver.script(does.flood(head, Buffer.alloc(65_536, 'x'), count));
      await post();
      await eventually(() => expect(receiver.connections.open).to.be.at.most(1), 'it is closed');
      expect(sent).to.be.below(16_000_000);
    });
  }

  it('H65: 64 KiB of body are read and dropped, of a longer one the connection is closed', async () => {
    await post();
    const { accepted: before } = receiver.connections;
    receiver.script(does.answer(200, {}, Buffer.alloc(65_536)));
    expect((await post()).outcome).to.deep.equal(accepted);
    receiver.script(does.answer(200, {}, Buffer.alloc(65_537)));
    expect((await post()).outcome).to.deep.equal(accepted);
    expect(receiver.connections.accepted).to.equal(before);
    expect((await post()).outcome).to.deep.equal(accepted);
    expect(receiver.connections.accepted).to.equal(before + 1);
  });

  it('may send a few 1xx before its answer, not many', async () => {
    const last = `${ok}content-length: 0\r\n\r\n`;
    receiver.script(does.raw(hints.repeat(16) + last), does.raw(hints.repeat(17) + last));
    expect((await post()).outcome).to.deep.equal(accepted);
    expect((await post()).outcome).to.deep.equal(unreachable('protocol_error'));
  });

  it('cannot answer the next attempt with a second response, at once or while idle', async () => {
    const second = 'HTTP/1.1 500 Poison\r\ncontent-length: 0\r\n\r\n';
    receiver.script(does.raw(`${ok}content-length: 0\r\n\r\n${second}`));
    expect((await post()).outcome).to.deep.equal(accepted);
    expect((await post()).outcome).to.deep.equal(accepted);
    receiver.script(async (request, response) => {
      request.socket.write(`${ok}content-length: 0\r\n\r\n`);
      await does.after(50, does.raw(second))(request, response);
    });
    expect((await post()).outcome).to.deep.equal(accepted);
    const { open } = receiver.connections;
    await eventually(() => expect(receiver.connections.open).to.equal(open - 1), 'it is closed');
    expect((await post()).outcome).to.deep.equal(accepted);
  });

  it('holds no socket after its attempts', async () => {
    receiver.always(does.hang);
    const attempts = await Promise.all(Array.from({ length: 20 }, () => post()));
    receiver.always(does.answer(200));
    for (const { outcome } of attempts) expect(outcome).to.deep.equal(unreachable('timeout'));
    await eventually(() => expect(receiver.connections.open).to.equal(0), 'all are closed');
  });
});
