import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { forward } from '../../../cli/listen/forward.js';
import { runCommand } from '../../../cli/listen/run-command.js';
import { type CliUser, createCliUser, type RunningCli } from '../../support/cli.js';
import { eventually } from '../../support/eventually.js';

const key = 'sk_live_0000000000000000';
const frame = (id: string, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const eventFrame = (position: string, id: string) =>
  frame(position, 'event', {
    id,
    type: 'offer.sent',
    time: '2026-01-01T12:00:00.000Z',
    test: false,
    body: `{"id":"${id}","note":"\u001b[31mred"}`,
  });

/** The event of a stream whose key may not read orders. */
const bodiless = (position: string) =>
  frame(position, 'event', {
    id: `evt_${position}`,
    type: 'offer.sent',
    time: '2026-01-01T12:00:00.000Z',
    test: false,
  });

const event = { id: 'evt_1', type: 'offer.sent', time: '', test: false, body: '{}' };

/** Answers one connection of the stream. */
type Connection = (response: ServerResponse, request: IncomingMessage) => void;

const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });

/** A service whose stream answers as scripted; the last script is used again and again. */
async function startScriptedService(scripts: Connection[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    script?.(response, request);
  });
  return { requests, url: await open(server), server };
}

async function open(server: TcpServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes as fast as the client reads. */
function writeWithoutEnd(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  const write = () => {
    while (response.writable && response.write(chunk));
    if (response.writable) response.once('drain', write);
  };
  write();
}

/** Whether the process with the id in the file runs. A zombie does not. */
function isRunning(pidFile: string): boolean {
  if (!existsSync(pidFile)) return false;
  const pid = readFileSync(pidFile, 'utf8').trim();
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

describe('signalpost listen', () => {
  const servers: Server[] = [];
  const users: CliUser[] = [];
  const running: RunningCli[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((command) => command.end('SIGKILL')));
    for (const server of servers.splice(0)) server.close().closeAllConnections();
    for (const user of users.splice(0)) user.remove();
  });

  async function listenTo(scripts: Connection[], ...args: string[]) {
    const service = await startScriptedService(scripts);
    servers.push(service.server);
    const user = createCliUser({ SIGNALPOST_URL: service.url });
    users.push(user);
    const login = await user.type(key, 'login', '--no-check');
    expect(login.code, login.stderr).to.equal(0);
    const start = () => {
      const cli = user.start('listen', ...args);
      running.push(cli);
      return cli;
    };
    return { ...service, start, cli: start() };
  }

  it('goes on at its position after a cut and a 503, and ends at Ctrl-C with 130', async () => {
    const { requests, cli } = await listenTo([
      (response) => void stream(response).end(eventFrame('p1', 'evt_1')),
      (response) => response.writeHead(503).end(),
      (response) => void stream(response).write(eventFrame('p2', 'evt_2')),
    ]);

    await eventually(() => expect(cli.stdout()).to.contain('evt_2'), 'the second event');

    expect(requests.map(({ headers }) => headers['last-event-id'])).to.deep.equal([
      undefined,
      'p1',
      'p1',
    ]);

    expect(await cli.end('SIGINT')).to.equal(130);
    expect(cli.stdout()).not.to.contain('\u001b[31m');
  });

  it('says that it listens once the service has said where the stream starts', async () => {
    const { cli } = await listenTo([
      (response) => void stream(response).end(),
      (response) => void stream(response).write(eventFrame('p1', 'evt_1')),
    ]);

    await eventually(() => expect(cli.stdout()).to.contain('evt_1'), 'the event');

    expect(cli.stderr()).to.match(/^Reconnected\.\nListening for all events at /m);
  });

  it('resumes in another process where it stopped, and refuses a second process of its name', async () => {
    const { requests, cli, start } = await listenTo([
      (response) => void stream(response).write(eventFrame('p1', 'evt_1')),
    ]);
    await eventually(() => expect(cli.stdout()).to.contain('evt_1'), 'the event');
    const second = start();
    expect(await second.ended).to.equal(1);
    expect(second.stderr()).to.match(/^Another signalpost listen --name default is running/);
    await cli.end('SIGKILL');
    const third = start();
    await eventually(() => expect(requests).to.have.lengthOf(2), 'the next connection');
    expect(requests[1]?.headers['last-event-id']).to.equal('p1');
    await third.end('SIGTERM');
  });

  it('H184: forwards while an answer hangs, and after a kill marks what had begun', async () => {
    const seen: string[] = [];
    const local = createServer(({ headers }, response) => {
      const id = String(headers['webhook-id']);
      seen.push(`${id} ${headers['signalpost-redelivered'] === 'true' ? 'marked' : 'new'}`);
      if (id !== 'evt_1') response.end();
    });

    servers.push(local);

    const [first, second, third, fourth] = [1, 2, 3, 4].map((number) =>
      eventFrame(`p${number}`, `evt_${number}`),
    );
    const { requests, cli, start } = await listenTo(
      [
        (response) =>
          void stream(response).write(`${frame('p0', 'position', {})}${first}${second}${third}`),
        (response) => void stream(response).write(`${first}${second}${third}${fourth}`),
      ],
      '--forward-to',
      await open(local),
      '--parallel',
      '2',
    );

    await eventually(() => expect(cli.stdout()).to.match(/evt_2[^]*evt_3/), 'the others');
    await cli.end('SIGKILL');
    seen.length = 0;
    start();
    await eventually(() => expect(seen).to.have.lengthOf(4), 'all again');
    expect(requests[1]?.headers['last-event-id']).to.equal('p0');

    expect(seen.toSorted()).to.deep.equal([
      'evt_1 marked',
      'evt_2 marked',
      'evt_3 marked',
      'evt_4 new',
    ]);
  });

  it('H264: goes on after an answer whose body drips, never ends, or stays open', async () => {
    const closed: string[] = [];
    const local = createServer(({ headers }, response) => {
      const id = String(headers['webhook-id']);
      response.once('close', () => closed.push(id)).on('error', () => undefined);
      response.writeHead(202);
      if (id === 'evt_1') response.write('a');
      else if (id === 'evt_2') writeWithoutEnd(response);
      else if (id === 'evt_3') response.end('whole');
    });

    servers.push(local);

    const events = [1, 2, 3].map((number) => eventFrame(`p${number}`, `evt_${number}`)).join('');
    const { cli } = await listenTo(
      [(response) => void stream(response).write(events)],
      '--forward-to',
      await open(local),
      '--json',
    );

    await eventually(() => expect(cli.stdout()).to.contain('evt_3'), 'the last event');
    expect(cli.stdout().match(/"status":202/g)).to.have.lengthOf(3);

    await eventually(
      () => expect(closed).to.have.members(['evt_1', 'evt_2', 'evt_3']),
      'each connection is closed or free',
    );
  });

  it('H265: sends --header to the target only, and signs as before', async () => {
    const seen: IncomingMessage[] = [];
    const local = createServer((request, response) => {
      seen.push(request);
      response.end();
    });

    servers.push(local);

    const { requests, cli } = await listenTo(
      [(response) => void stream(response).write(eventFrame('p1', 'evt_1'))],
      '--forward-to',
      await open(local),
      '--exec',
      'env',
      '--print-body',
      '--header',
      'X-Tunnel-Key: t0p-secret',
      '--header',
      'user-agent: mine',
    );

    await eventually(() => expect(cli.stdout()).to.contain('exit 0'), 'the event');
    expect(seen[0]?.headers).to.include({ 'x-tunnel-key': 't0p-secret', 'user-agent': 'mine' });
    expect(seen[0]?.headers).to.include.keys('webhook-signature', 'x-service-signature');
    expect(JSON.stringify(requests.map(({ rawHeaders }) => rawHeaders))).not.to.match(/t0p|mine/);
    expect(cli.stdout() + cli.stderr()).not.to.contain('t0p-secret');
  });

  it('H265: refuses a --header that would replace a signature, or break the request', async () => {
    const user = createCliUser();
    users.push(user);

    for (const header of [
      'Webhook-Signature: v1,x',
      'x-service-timestamp: 1',
      'Content-Length: 1',
      'no colon',
      'a b: c',
      'x: a\nb: c',
      'Transfer-Encoding: chunked',
      ': x',
      'X: \u{1f600}',
    ]) {
      const to = ['--forward-to', 'http://127.0.0.1:1/'];
      const { code, stderr } = await user.run('listen', ...to, '--header', header);
      expect(code, header).to.equal(2);
      expect(stderr, header).to.match(/^error: option '--header <header>' argument/);
    }

    const { code, stderr } = await user.run('listen', '--header', 'a: b');
    expect([code, stderr]).to.deep.equal([2, '--header needs --forward-to.\n']);
  });

  it('gives up on headers that never end', async () => {
    const local = createTcpServer((socket) => {
      socket.on('error', () => undefined).write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    try {
      const answer = forward(event, false, {
        target: new URL(await open(local)),
        secret: 'whsec_c2VjcmV0',
        verifyCertificate: true,
        signal: new AbortController().signal,
        idleMs: 200,
      });

      const error = await answer.catch((thrown: unknown) => thrown);
      expect(String(error)).to.contain('no response for 0.2 s');
    } finally {
      local.close();
    }
  });

  it('H264: ends a command that takes too long, with every process of its group', async () => {
    const user = createCliUser();
    users.push(user);
    const pidFile = join(user.home, 'pid');
    const command = `sleep 1000 >/dev/null 2>&1 & echo $! > ${pidFile}; wait`;
    const { signal } = new AbortController();
    expect(await runCommand(command, event, false, { signal, deadlineMs: 500 })).to.equal(
      'timeout',
    );
    await eventually(() => expect(isRunning(pidFile)).to.equal(false), 'its child has ended');
  });

  it('says that events may be missing when its position is gone, and ends with 5', async () => {
    const problem = JSON.stringify({ title: 'Position gone', status: 410, code: 'x', errors: [] });
    const { requests, cli } = await listenTo([
      (response) => void stream(response).end(eventFrame('p1', 'evt_1')),
      (response) => response.writeHead(410).end(problem),
      (response) => void stream(response).write(eventFrame('p9', 'evt_9')),
    ]);
    await eventually(() => expect(cli.stdout()).to.contain('evt_9'), 'the next event');
    expect(requests[2]?.headers['last-event-id']).to.equal(undefined);
    expect(cli.stderr()).to.contain('Position gone').and.to.contain('events may be missing');
    expect(await cli.end('SIGINT')).to.equal(5);
  });

  it('H243: shows an event without its body, and says why', async () => {
    const { cli } = await listenTo(
      [(response) => void stream(response).write(`${bodiless('p1')}${bodiless('p2')}`)],
      '--print-body',
    );
    await eventually(() => expect(cli.stdout()).to.match(/evt_p1[^]*evt_p2/), 'both events');
    expect(cli.stdout()).to.match(/evt_p1 +offer\.sent +\(no body\)\n/);
    await eventually(() => expect(cli.stderr()).to.contain('may not read orders'), 'the reason');
    expect(await cli.end('SIGINT')).to.equal(130);
    expect(cli.stderr().match(/may not read orders/g)).to.have.lengthOf(1);
  });

  for (const option of [
    ['--forward-to', 'http://127.0.0.1:1/'],
    ['--exec', 'cat'],
  ]) {
    it(`H243: ends with 1 when ${option[0]} needs a body that the key may not read`, async () => {
      const { requests, cli } = await listenTo(
        [(response) => void stream(response).write(bodiless('p1'))],
        ...option,
      );
      expect(await cli.ended).to.equal(1);
      expect(cli.stdout()).to.equal('');
      expect(cli.stderr()).to.match(/This key may not read orders, so events have no body\..*\n$/);
      expect(requests).to.have.lengthOf(1);
    });
  }

  it('ends when its key is revoked', async () => {
    const { cli } = await listenTo([
      (response) => void stream(response).end(eventFrame('p1', 'evt_1')),
      (response) =>
        response.writeHead(401).end('{"title":"Unauthorized","status":401,"code":"unauthorized"}'),
    ]);
    expect(await cli.ended).to.equal(3);
    expect(cli.stderr()).to.contain('Unauthorized (401 unauthorized)');
  });

  it('runs a command with the body, without the key, and prints JSON', async () => {
    const exec = 'cat > "$HOME/$SIGNALPOST_EVENT_ID"; test -z "$SIGNALPOST_API_KEY"; exit 3';
    const { cli } = await listenTo(
      [(response) => void stream(response).write(eventFrame('p1', 'evt_1'))],
      '--exec',
      exec,
      '--json',
    );
    await eventually(() => expect(cli.stdout()).to.contain('"exit":3'), 'the result');
    expect(JSON.parse(cli.stdout())).to.deep.include({ id: 'evt_1', redelivered: false, exit: 3 });
  });
});
