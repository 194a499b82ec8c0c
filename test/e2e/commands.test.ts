import { expect } from 'chai';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { externalFolderOf } from '../../tools/launcher/data-dir.js';
import { acquirePostgres } from '../../tools/launcher/embedded-postgres.js';
import { eventually } from '../support/eventually.js';
import { shapeOf, shownInReadme } from '../support/documents.js';
import { repositoryRoot } from '../support/repository.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const body = '{"type":"cart.order.completed"}';
const eventId = 'evt_0VbZiGIyik9E43S6tFR9sk7Z';
const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** A running command, with what it printed and how it ended. */
interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly code: Promise<number | null>;
}

describe('commands that a newcomer types', () => {
  let dataDir: string;
  const started: ChildProcess[] = [];

  before(() => (dataDir = mkdtempSync(join(tmpdir(), 'signalpost-commands-'))));

  after(async () => {
    for (const child of started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    const outside = externalFolderOf(dataDir);
    for (const path of [dataDir, outside]) rmSync(path, { recursive: true, force: true });
  });

  /** Runs what npm runs for `npm run <name> -- <words>`. */
  function run(name: string, ...words: string[]): Running {
    return runWith({}, name, ...words);
  }

  function runWith(settings: Record<string, string>, name: string, ...words: string[]): Running {
    const [program = '', ...fixed] = (scripts[name] ?? '').split(' ');
    const child = spawn(program, [...fixed, ...words], {
      cwd: repositoryRoot,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DATA_DIR: dataDir,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

    started.push(child);

    let output = '';

    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }

    const code = (once(child, 'close') as Promise<[number | null]>).then(([given]) => given);
    return { child, output: () => output, code };
  }

  async function receiving(...words: string[]): Promise<Running & { url: string }> {
    const running = run('receiver', '--port', '0', ...words);
    const url = await eventually(() => {
      const address = /Receiving at (\S+)/.exec(running.output())?.[1];
      if (address === undefined) throw new Error(running.output());
      return address;
    }, 'the receiver says where it is');
    return { ...running, url };
  }

  it('npm run migrate brings the schema up to date once', async () => {
    await (await acquirePostgres(dataDir, 'test')).leave();
    const first = run('migrate');
    expect(await first.code, first.output()).to.equal(0);
    expect(first.output()).to.include('Applied: ');
    const second = run('migrate');
    expect(await second.code, second.output()).to.equal(0);
    expect(second.output()).to.include('The schema is up to date.');
  });

  it('npm run receiver distinguishes verified deliveries from others and stops on Ctrl-C', async () => {
    for (const [words, verdict] of [
      [['--secret', secret], '(verified)'],
      [['--secret', `${secret}x`], '(NOT VERIFIED: '],
      [[], '(NOT VERIFIED: no --secret given)'],
    ] as const) {
      const receiver = await receiving(...words);
      expect(await post(receiver.url)).to.equal(200);

      const line = `cart.order.completed ${eventId} attempt 1 → 200 `;
      expect(shapeOf(`${line}(verified)`)).to.equal(shapeOf(shownInReadme('receiver')));
      await eventually(() => expect(receiver.output()).to.include(line + verdict), verdict);
      expect(receiver.output()).to.include(body);
      receiver.child.kill('SIGINT');
      expect(await receiver.code).to.equal(0);
    }
  });

  it('npm run receiver says when its port is taken, in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const refused = run('receiver', '--port', String(port));
      expect(await refused.code).to.equal(1);
      expect(refused.output().trim()).to.equal(
        `Port ${port} is in use. Choose another with --port.`,
      );
    } finally {
      other.close();
    }
  });

  it('npm run demo succeeds, verifies every signature and prints what docs/tour.md shows', async () => {
    const demo = run('demo');
    expect(await demo.code, demo.output()).to.equal(0);
    const reported = demo.output();
    const story = reported.slice(reported.indexOf('Starting PostgreSQL, the API'));
    expect(shapeOf(story)).to.equal(shapeOf(shownInReadme('npm run demo')));
    expect(demo.output().trim().split('\n').at(-1)).to.match(
      /^Done: \d+ deliveries arrived, and every signature is verified\.$/,
    );
  });

  it('npm run demo leaves nothing behind when it is stopped during its start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalpost-demos-'));
    chmodSync(folder, 0o711);

    try {
      const demo = runWith({ TMPDIR: folder }, 'demo');
      const [name = ''] = await eventually(() => {
        const folders = readdirSync(folder).filter((entry) => entry.startsWith('signalpost-demo-'));
        expect(folders).to.have.lengthOf(1);
        expect(readdirSync(join(folder, folders[0] ?? ''))).not.to.deep.equal([]);
        return folders;
      }, 'it has begun');

      const outside = externalFolderOf(join(folder, name));

      demo.child.kill('SIGINT');
      expect(await demo.code, demo.output()).to.equal(130);
      expect(readdirSync(folder)).to.deep.equal([]);
      expect(existsSync(outside)).to.equal(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  /** Sends a delivery that other code signs as the service does. @returns the status of the answer */
  function post(url: string): Promise<number | undefined> {
    const time = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method: 'POST',
          ca: readFileSync(join(dataDir, 'receiver-ca.pem')),
          agent: false,
          headers: {
            'X-Service-Signature': `t=${time},v1=${signature}`,
            'X-Service-Event-Id': eventId,
            'X-Service-Event-Type': 'cart.order.completed',
            'X-Service-Delivery-Id': 'del_1',
            'X-Service-Attempt': '1',
          },
        },
        (response) => {
          response.resume();
          response.once('end', () => resolve(response.statusCode));
        },
      );

      sent.once('error', reject);
      sent.end(body);
    });
  }
});
