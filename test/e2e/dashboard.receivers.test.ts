import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { fetch } from 'undici';
import { createEndpoint } from '../support/endpoints.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../tools/launcher/ports.js';
import { repositoryRoot } from '../support/repository.js';

const familyOf = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')));

const sampleLanguages: readonly SampleLanguage[] = [
  {
    name: 'Node',
    file: 'receiver.mjs',
    probe: [process.execPath, '--version'],
    run: (file) => [process.execPath, file],
  },
  {
    name: 'Python',
    file: 'receiver.py',
    probe: ['python3', '--version'],
    publicKeyProbe: ['python3', ['-c', 'import cryptography']],
    publicKeyNeeds: 'the package cryptography of python3',
    run: (file) => ['python3', file],
  },
  {
    name: 'Go',
    file: 'receiver.go',
    probe: ['go', 'version'],
    compile: (file, program) => ['go', 'build', '-o', program, file],
    run: (program) => [program],
  },
  {
    name: 'Ruby',
    file: 'receiver.rb',
    probe: ['ruby', '--version'],
    run: (file) => ['ruby', file],
  },
  {
    name: 'PHP',
    file: 'receiver.php',
    probe: ['php', '--version'],
    run: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
  {
    name: 'Java',
    file: 'Receiver.java',
    probe: ['java', '-version'],
    run: (file) => ['java', file],
  },
];

describe('the receivers that the dashboard shows', function () {
  // A compiler may run for the first time on this machine.
  let receiver: Receiver;
  let secret: string;
  let publicKey: string;
  let tenant: Tenant;

  before(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(await sharedService());
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url('/signed') });
    secret = endpoint.signing_secret;
    publicKey = await turnOnPublicKey(tenant, endpoint.id);
  });

  after(() => receiver.close());

  /** Receives an event that is signed now. */
  const deliver = async () => {
    const event = await tenant.publish({ subject: 'order:Zoë' });
    return receiver.next(({ headers }) => headers['webhook-id'] === event);
  };

  const signedAt = (seconds: number, body: Buffer) => {
    const at = new Date(Date.now() + seconds * 1_000);
    const signature = new Webhook(secret).sign('evt_1', at, body.toString('utf8'));
    const time = String(Math.floor(at.getTime() / 1_000));
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': time, 'webhook-signature': signature };
  };

  for (const language of sampleLanguages) {
    const title = `H189: the receiver in ${language.name} accepts what was signed and refuses the rest`;

    if (!isInstalled(language)) {
      it(`${title} (pending: ${language.probe[0]} is not installed)`);
      continue;
    }

    const publicTitle = `H305: the receiver in ${language.name} verifies with a public key, and refuses the rest`;
    const lacks = language.publicKeyProbe && spawnSync(...language.publicKeyProbe).status !== 0;

    if (lacks) {
      it(`${publicTitle} (pending: ${language.publicKeyNeeds ?? ''} is not installed)`);
    } else {
      it(publicTitle, async () => {
        const sample = await startSample(language, publicKey);
        try {
          const { headers, body } = await deliver();
          const { 'webhook-signature': signature = '' } = headers;
          const send = async (changes: Readonly<Record<string, string>>, bytes = body) => {
            const all = { ...familyOf(headers), ...changes };
            const response = await fetch(sample.url, { method: 'POST', headers: all, body: bytes });
            return response.status;
          };
          const [hmac = '', ed25519 = ''] = signature.split(' ');
          const other = `v1a,${'A'.repeat(86)}==`;

          expect(await send({})).to.equal(204);
          expect(await send({ 'webhook-signature': `${other} ${ed25519}` }), 'two').to.equal(204);
          expect(await send({ 'webhook-signature': hmac }), 'only HMAC').to.equal(401);
          expect(await send({ 'webhook-signature': other }), 'another').to.equal(401);
          expect(await send({ 'webhook-signature': 'v1a,AAAA' }), 'a short one').to.equal(401);
          expect(
            await send({ 'webhook-signature': ed25519.replace('v1a,', 'v1,') }),
            'as HMAC',
          ).to.equal(401);
          expect(await send({ 'webhook-id': 'evt_2' }), 'an id').to.equal(401);

          const changed = Buffer.from(body);
          changed[changed.length - 3]! ^= 1;
          expect(await send({}, changed), 'a changed body').to.equal(401);
          expect(await send({}), 'again').to.equal(204);
        } finally {
          await sample.end();
        }
      });
    }

    it(title, async () => {
      const sample = await startSample(language, secret);
      const send = async (given: Readonly<Record<string, string>>, bytes: Buffer) => {
        const response = await fetch(sample.url, { method: 'POST', headers: given, body: bytes });
        return response.status;
      };
      try {
        const { headers: all, body } = await deliver();
        const headers = familyOf(all);
        const { 'webhook-signature': signature = '' } = headers;
        const rotated = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= ${signature}` };

        expect(await send(headers, body)).to.equal(204);
        expect(await send(rotated, body), 'two signatures').to.equal(204);

        const changed = Buffer.from(body);
        changed[changed.length - 3]! ^= 1;
        expect(await send(headers, changed), 'a changed body').to.equal(401);
        expect(await send({ ...headers, 'webhook-id': 'evt_2' }, body), 'an id').to.equal(401);
        expect(await send({}, body), 'no signature').to.equal(401);
        expect(await send(signedAt(0, body), body), 'signed now').to.equal(204);
        expect(await send(signedAt(-600, body), body), 'ten minutes old').to.equal(401);
        expect(await send(signedAt(600, body), body), 'ten minutes ahead').to.equal(401);
        expect(await send(headers, body), 'again').to.equal(204);
      } finally {
        await sample.end();
      }
    });
  }
});

/** Lets an endpoint sign with a key pair. @returns its public key */
async function turnOnPublicKey(tenant: Tenant, id: string): Promise<string> {
  const { changed } = await tenant.graphql<{
    changed: { options: { publicKeySignature: { keys: [{ publicKey: string }] } } };
  }>(
    `mutation ($id: ID!, $account: ID) {
       changed: setEndpointOptions(id: $id, input: { publicKeySignature: true }, account: $account) {
         options { publicKeySignature { keys { publicKey } } } } }`,
    { id, account: tenant.account },
  );
  return changed.options.publicKeySignature.keys[0].publicKey;
}

/** A language of the receivers that the dashboard shows. */
interface SampleLanguage {
  readonly name: string;
  readonly file: string;
  /** Prints its version: the language is installed. */
  readonly probe: readonly [program: string, argument: string];
  /** Succeeds if it has what the verification with a public key needs. Defaults to success. */
  readonly publicKeyProbe?: readonly [program: string, args: readonly string[]];
  /** What that is. */
  readonly publicKeyNeeds?: string;
  /** What runs the file, with a port where the program cannot choose one. */
  readonly run: (file: string, port: number) => readonly [string, ...string[]];
  /** Makes a program of the file, which is then run in its place. */
  readonly compile?: (file: string, program: string) => readonly [string, ...string[]];
}

/** A receiver that listens. */
interface SampleReceiver {
  readonly url: string;
  end(): Promise<void>;
}

const samples = join(repositoryRoot, 'dashboard', 'src', 'pages', 'event-types', 'receivers');

/** Whether this machine has what the language needs. */
function isInstalled({ probe: [program, argument] }: SampleLanguage): boolean {
  return spawnSync(program, [argument]).status === 0;
}

/** Runs the receiver of a language as the dashboard shows it, and waits until it listens. */
async function startSample(
  { file, run, compile }: SampleLanguage,
  secret: string,
): Promise<SampleReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-sample-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });

  // Go builds without network, and keeps what it compiled for the next run.
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'] ?? folder,
    GO111MODULE: 'off',
    GOTOOLCHAIN: 'local',
  };

  const program = compile ? join(folder, 'receiver') : join(samples, file);

  if (compile) {
    const [compiler, ...args] = compile(join(samples, file), program);
    const building = spawn(compiler, args, { env: environment, stdio: 'inherit' });
    const [code] = (await once(building, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${compiler} ended with ${String(code)}`);
  }

  const chosen = await freePort();
  const [command, ...args] = run(program, chosen);
  const child = spawn(command, args, {
    env: { ...environment, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);

  const ended = once(child, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    const lines: string[] = [];
    const read = (line: string) => {
      lines.push(line);
      const listeningPort = /^Listening on port (\d+)$/.exec(line)?.[1];
      if (listeningPort !== undefined) resolve(Number(listeningPort));
      // PHP says so itself.
      else if (/Development Server .* started/.test(line)) resolve(chosen);
    };
    createInterface(child.stdout).on('line', read);
    createInterface(child.stderr).on('line', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${file} ended:\n${lines.join('\n')}`)));
  });

  return {
    url: `http://127.0.0.1:${port}/`,
    async end() {
      kill();
      await ended;
      process.off('exit', kill);
      remove();
    },
  };
}
