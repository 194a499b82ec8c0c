import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { fetch } from 'undici';
import { testAuthority } from '../support/authority.js';
import { answer, drip } from '../support/behaviours.js';
import { firstRecordedAs } from '../support/delivery-records.js';
import { createEndpoint, dataOf, endpointsPath, listDeliveries } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { makeSubjects, publicOperations, type Subjects } from '../support/every-operation.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const run = promisify(execFile);

/** The packages that `.ci/run` downloads: nothing here needs a network. */
const wheels = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'signalpost',
  'python-client',
);
const missing = whatIsMissing();

const source = join(repositoryRoot, 'clients', 'python');
const readme = readFileSync(join(source, 'README.md'), 'utf8');
const [, tenLines = ''] = /^```python\n(.*?)^```$/ms.exec(readme) ?? [];

describe('the Python client', () => {
  let folder: string;
  /** Python with the installed package and what it depends on, and nothing else. */
  let python: string;
  /** Python that builds and checks the package. */
  let builder: string;
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let subjects: Subjects;
  let token: string;
  const programs: ChildProcess[] = [];

  before(async function () {
    if (missing !== undefined) {
      this.test!.parent!.tests.forEach((test) => (test.title += ` (pending: ${missing})`));
      return this.skip();
    }

    folder = mkdtempSync(join(tmpdir(), 'signalpost-python-'));
    cpSync(source, folder, { recursive: true });
    builder = await createEnvironment('builder');
    await install(builder, 'flit_core', 'httpx', 'mypy');
    python = await createEnvironment('environment');
    await build();

    service = await sharedService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
    subjects = await makeSubjects(tenant, receiver);
    ({ token } = await tenant.credential({ kind: 'live' }));
  });
  after(async () => {
    if (missing !== undefined) return;
    await receiver.close();
    rmSync(folder, { recursive: true });
  });

  afterEach(async () => {
    for (const program of programs.splice(0)) {
      const closed = once(program, 'close');
      program.kill();
      await closed;
    }
  });

  /** Runs a program in the folder and returns its output. @throws Error with all that it printed */
  async function execute(
    program: string,
    args: readonly string[],
    added: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: folder, ...added };
    const options = { cwd: folder, env, timeout: 180_000, killSignal: 'SIGKILL' } as const;
    const { stdout } = await run(program, args, options).catch((error: unknown) => {
      const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${args.join(' ')}\n${out}${stderr}`, { cause: error });
    });
    return stdout;
  }

  async function createEnvironment(name: string): Promise<string> {
    await execute('python3', ['-m', 'venv', name]);
    return join(folder, name, 'bin', 'python');
  }

  /** Starts a program of the folder that ends with the test. */
  function start(
    args: readonly string[],
    added: Readonly<Record<string, string>> = {},
  ): Conversation {
    const env = { PATH: process.env['PATH'], ...added };
    const child = spawn(python, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
    programs.push(child);
    return new Conversation(child);
  }

  /** What the lines of the README read. */
  const environment = (receiverUrl: string) => ({
    SIGNALPOST_URL: service.url,
    SIGNALPOST_API_KEY: token,
    RECEIVER_URL: receiverUrl,
  });

  /** Publishes an event, and waits until it arrives at this path of the receiver. */
  async function delivered(path: string): Promise<{ event: string; sent: ReceivedRequest }> {
    const event = await tenant.publish({});
    const sent = await receiver.next(
      (request) => request.path === path && request.headers['webhook-id'] === event,
    );
    return { event, sent };
  }

  function install(into: string, ...packages: readonly string[]): Promise<string> {
    return pip(into, 'install', ...packages);
  }

  function pip(program: string, command: string, ...args: readonly string[]): Promise<string> {
    const offline = ['--quiet', '--no-index', '--find-links', wheels];
    return execute(program, ['-m', 'pip', command, ...offline, ...args]);
  }

  /** Builds the sdist, from that the wheel as pip does, and installs it. */
  async function build(): Promise<void> {
    const sdist = 'from flit_core.buildapi import build_sdist; print(build_sdist("dist"))';
    const name = (await execute(builder, ['-c', sdist])).trim();
    await pip(builder, 'wheel', '--no-deps', '--wheel-dir', 'dist', join('dist', name));
    const [wheel = ''] = readdirSync(join(folder, 'dist')).filter((file) => file.endsWith('.whl'));
    await install(python, join('dist', wheel));
  }

  it('the wheel of the Python client has its modules, its licence and nothing else', async () => {
    const names = readdirSync(join(folder, 'dist'));
    expect(names.map((name) => name.replace(/\d+\.\d+\.\d+/, '…'))).to.have.members([
      'signalpost_client-….tar.gz',
      'signalpost_client-…-py3-none-any.whl',
    ]);

    const [wheel = ''] = names.filter((name) => name.endsWith('.whl'));
    const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';
    const files = (await execute(builder, ['-c', list, join('dist', wheel)])).trim().split('\n');
    const modules = readdirSync(join(source, 'src', 'signalpost')).filter(
      (name) => name !== '__pycache__',
    );
    expect(modules).to.include.members(['py.typed', 'types.py']);
    expect(files.filter((name) => name.startsWith('signalpost/'))).to.have.members(
      modules.map((name) => `signalpost/${name}`),
    );
    expect(files.map((name) => name.split('/').at(-1))).to.include('LICENSE');

    const freeze = await execute(python, ['-m', 'pip', 'freeze']);
    const installed = freeze.trim().split('\n');
    const dependencies = 'anyio certifi h11 httpcore httpx idna typing_extensions'.split(' ');
    expect(['signalpost-client', ...dependencies]).to.include.members(
      installed.map((line) => line.split(/==| @ /)[0]),
    );
  });

  it('the unit tests of the Python client pass, also with a hostile server', async () => {
    await execute(python, ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests']);
  });

  it('a strict type checker accepts the Python client, its examples and the lines of its README', async () => {
    writeFileSync(join(folder, 'lines.py'), `${tenLines}${narrowing}`);
    const mypy = ['-m', 'mypy', '--strict', '--python-executable', python];
    await execute(builder, [...mypy, '-p', 'signalpost']);
    await execute(builder, [...mypy, 'lines.py', 'examples', 'tests'], { MYPYPATH: 'tests' });

    writeFileSync(join(folder, 'wrong.py'), `${tenLines}${wrong}`);
    const error = await execute(builder, [...mypy, 'wrong.py']).catch(String);
    expect(error).to.match(/wrong.py:\d+: error: Unexpected keyword argument "colour"/);
    expect(error).to.match(/TypedDict "WebhookDelivery" has no key "colour"/);
    expect(error).to.include('Found 2 errors');
  });

  it('docs/clients.md shows the lines in the README of the Python client', () => {
    const guide = readFileSync(join(repositoryRoot, 'docs', 'clients.md'), 'utf8');
    expect(guide).to.include(`\`\`\`python\n${tenLines}\`\`\``);
  });

  it('the ten lines in the README of the Python client create an endpoint and verify its deliveries', async () => {
    writeFileSync(join(folder, 'driver.py'), driver);
    const program = start(['driver.py'], environment(receiver.url('/python')));
    program.send({ lines: tenLines });
    const [, id, secret = ''] = /^(whs_\w+) (whsec_\w+)$/.exec(await program.next()) ?? [];
    const listed = [await program.next()];
    while (listed.at(-1) !== 'ready') listed.push(await program.next());
    const deliveries = await listDeliveries(tenant.rest);
    expect(listed).to.deep.equal([...deliveries.map((one) => `${one.id} ${one.status}`), 'ready']);

    const first = await delivered('/python');
    program.send(asMessage(first.sent));
    expect(await program.next()).to.equal(first.event);
    program.send({ ...asMessage(first.sent), body: Buffer.from('{}').toString('base64') });
    expect(await program.next()).to.match(/^no_match/);

    // After a rotation each delivery is signed with both secrets.
    const path = `${endpointsPath}/${id}/secret-rotations`;
    const { signing_secret: next } = dataOf<{ signing_secret: string }>(
      await tenant.rest.post(path),
      200,
    );
    const second = await delivered('/python');
    for (const known of [secret, next, [next, secret]]) {
      program.send({ ...asMessage(second.sent), secret: known });
      expect(await program.next()).to.equal(second.event);
    }
    dataOf(await tenant.rest.patch(`${endpointsPath}/${id}`, { active: false }), 200);

    writeFileSync(join(folder, 'lines.py'), tenLines);
    const refused = await execute(python, ['lines.py'], environment('http://shop.example'));
    expect(refused).to.match(/^validation_failed url req_\w{24}\n$/);
  });

  it('the Python client has every operation of /v1, and reads what the service answers', async () => {
    writeFileSync(join(folder, 'operations.py'), everyOperation);
    const reads = publicOperations.filter(({ method }) => method === 'GET');
    const answered = new Map<string, unknown>();
    for (const { id, path } of reads)
      answered.set(id, dataOf(await tenant.rest.get(path(subjects)), 200));
    // Lists go over several pages of one item.
    expect(answered.get('webhooks.endpoints.list')).to.have.length.above(1);

    // The endpoint goes last, because others need it.
    const isDeletion = ({ method }: { readonly method: string }) => method === 'DELETE';
    const changes = publicOperations.filter(
      ({ method }) => method !== 'GET' && !isDeletion({ method }),
    );
    const calls = [...reads, ...changes, ...publicOperations.filter(isDeletion)].map(
      ({ id, subject, body, list }) => [
        id,
        subject ? [subjects[subject]] : [],
        body ?? {},
        list ?? null,
      ],
    );
    const printed = await execute(python, [
      'operations.py',
      service.url,
      token,
      JSON.stringify(calls),
    ]);
    const results = new Map(Object.entries(JSON.parse(printed) as Record<string, unknown>));

    expect([...results.keys()]).to.have.members(publicOperations.map(({ id }) => id));
    for (const [id, data] of answered) expect(results.get(id), id).to.deep.equal(data);
    expect(results.get('webhooks.endpoints.update')).to.include({ description: 'By every role' });
    expect(results.get('webhooks.endpoints.secret_rotations.create'))
      .to.have.property('signing_secret')
      .that.matches(/^whsec_/);
    expect(results.get('webhooks.deliveries.replay')).to.include({
      replayed_from: subjects.delivery,
      status: 'success',
    });
    expect(results.get('commerce.payments.refunds.create')).to.include({
      payment: subjects.payment,
      amount_minor_units: 1,
    });
    expect(results.get('commerce.offers.cancel')).to.include({
      id: subjects.offer,
      status: 'cancelled',
    });
    expect(results.get('webhooks.endpoints.delete')).to.equal(null);
    const { status } = await tenant.rest.get(`${endpointsPath}/${subjects.endpoint}`);
    expect(status).to.equal(404);
  });

  it('the example of a receiver in Python accepts a delivery, and refuses it with another body', async () => {
    const { id, signing_secret: secret } = await createEndpoint(tenant.rest, {
      url: receiver.url('/example'),
    });
    const { event, sent } = await delivered('/example');
    dataOf(await tenant.rest.patch(`${endpointsPath}/${id}`, { active: false }), 200);

    const example = start(['-u', join('examples', 'receiver.py'), '0'], {
      SIGNALPOST_SECRETS: `whsec_AAAA ${secret}`,
    });
    const [, port] = /^listening on port (\d+)$/.exec(await example.next()) ?? [];
    const post = async (body: Buffer) => {
      const signed = Object.entries(sent.headers).filter(([name]) => name.startsWith('webhook-'));
      const options = { method: 'POST', headers: Object.fromEntries(signed), body };
      return (await fetch(`http://127.0.0.1:${port}/`, options)).status;
    };
    expect(await post(Buffer.concat([sent.body, Buffer.from(' ')]))).to.equal(401);
    expect(await post(sent.body)).to.equal(204);
    expect(await example.next()).to.equal(`${event} cart.order.completed`);
  });

  it('the example in Python that replays what was abandoned gets a success', async () => {
    const shop = await createTenant(service);
    const key = (await shop.credential({ kind: 'live' })).token;
    const { id } = await createEndpoint(shop.rest, { url: receiver.url('/replayed') });
    receiver.choose(({ path }) => (path === '/replayed' ? answer(500) : undefined));
    await firstRecordedAs(shop.rest, await shop.publish({}), 'failed');
    receiver.choose(() => undefined);

    // An inactive endpoint abandons what has failed, and a replay needs an active one.
    dataOf(await shop.rest.patch(`${endpointsPath}/${id}`, { active: false }), 200);
    const [abandoned] = await eventually(async () => {
      const records = await listDeliveries(shop.rest, '?status=abandoned');
      expect(records).to.have.lengthOf(1);
      return records;
    }, 'the delivery is abandoned');
    dataOf(await shop.rest.patch(`${endpointsPath}/${id}`, { active: true }), 200);

    const printed = await execute(python, [join('examples', 'replay_abandoned.py')], {
      SIGNALPOST_URL: service.url,
      SIGNALPOST_API_KEY: key,
    });
    expect(printed).to.equal(`${abandoned!.id} success\n`);
  });

  it('the Python client trusts the authorities of the machine, and leaves a slow TLS server at its deadline', async () => {
    const server = await startReceiver();
    const { caFile } = await testAuthority();
    writeFileSync(join(folder, 'tls.py'), overTls);
    const list = (timeout: string, added: Readonly<Record<string, string>>) =>
      execute(python, ['tls.py', server.url().replace(/\/$/, ''), timeout], added);
    try {
      server.always(answer(200, {}, '{"data":[1],"page":{"has_more":false}}'));
      expect(await list('60', { SSL_CERT_FILE: caFile })).to.equal('[1]\n');
      expect(await list('60', {})).to.match(/^NoResponse: .*certificate verify failed/i);
      server.always(drip('HTTP/1.1 200 OK\r\nX-A: ', 'a'.repeat(10_000), 20));
      expect(await list('1', { SSL_CERT_FILE: caFile })).to.match(/^NoResponse: /);
    } finally {
      await server.close();
    }
  });
});

/** Why the tests of the Python client are pending; undefined if they can run. */
function whatIsMissing(): string | undefined {
  const list = join(wheels, 'requirements.txt');
  const wanted = readFileSync(join(repositoryRoot, '.ci', 'python-client.txt'), 'utf8');
  if (existsSync(list) && readFileSync(list, 'utf8') === wanted) return undefined;
  return `the packages of .ci/python-client.txt are not in ${wheels}, see .ci/run`;
}

/** A program that answers each line that it reads with one that it prints. */
class Conversation {
  readonly #lines: Interface;
  readonly #next: AsyncIterator<string, undefined>;

  constructor(readonly child: ChildProcess) {
    this.#lines = createInterface(child.stdout!);
    this.#next = this.#lines[Symbol.asyncIterator]();
  }

  send(message: object): void {
    this.child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  /** @throws Error when the program has ended */
  async next(): Promise<string> {
    const { done, value } = await this.#next.next();
    if (done) throw new Error('the program has ended');
    return value;
  }
}

/** A delivery as {@link driver} reads it. */
function asMessage({ headers, body }: ReceivedRequest) {
  return { headers, body: body.toString('base64') };
}

/** Runs the lines of the README, then verifies deliveries, with its function or with other secrets. */
const driver = `
import base64, json, sys
from signalpost import VerificationError, verify

names = {}
exec(json.loads(sys.stdin.readline())["lines"], names)
print("ready", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    body, headers = base64.b64decode(message["body"]), message["headers"]
    try:
        secret = message.get("secret")
        event = verify(body, headers, secret) if secret else names["receive"](body, headers)
        print(event["id"], flush=True)
    except VerificationError as error:
        print(error, flush=True)
`;

/** An event is known by its type. */
const narrowing = `
def order(body: bytes, headers: dict[str, str]) -> str:
    event = verify(body, headers, [endpoint["signing_secret"]])
    return event["data"]["order"]["id"] if event["type"] == "cart.order.completed" else event["id"]
`;

const wrong = `
client.webhooks.endpoints.update("whs_1", colour="red")
for delivery in client.webhooks.deliveries.list():
    print(delivery["colour"])
`;

/** Calls each operation by its name: with the ids, then the body. Lists have one item a page. */
const everyOperation = `
import functools, json, sys
from signalpost import Client

url, key, calls = sys.argv[1:]
sizes = {"by cursor": {"limit": 1}, "by number": {"per_page": 1}}
results = {}
with Client(url, key) as client:
    for id, ids, body, list_kind in json.loads(calls):
        operation = functools.reduce(getattr, id.split("."), client)
        result = operation(*ids, **body, **sizes.get(list_kind, {}))
        results[id] = list(result) if id.endswith(".list") else result
print(json.dumps(results))
`;

const overTls = `
import sys
from signalpost import Client, NoResponse

with Client(sys.argv[1], "sk_live_x", deadline=float(sys.argv[2]), retries=0) as client:
    try:
        print(list(client.webhooks.event_types.list()))
    except NoResponse as error:
        print("NoResponse:", error)
`;
