import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { parseCatalogue } from '../../src/graphql/resolvers/catalogue-file.js';
import { roles } from '../../src/domain/account/permission.js';
import { admin, adminJson } from '../support/admin.js';
import {
  createEndpoint,
  dataOf,
  endpointInput,
  endpointsPath,
  toProblem,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { hostileText, unsafeIn } from '../support/cli.js';
import { startReceiver } from '../support/receiver.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, startService, startWorker } from '../support/service.js';
import { callGraphql, createTenant } from '../support/tenants.js';

interface Made {
  readonly id: string;
  readonly token: string;
}

describe('npm run admin', () => {
  let service: Service;
  let account: string;

  before(async () => {
    service = await startService({ workers: 0 });
    const created = await json<{ id: string }>('accounts', 'create', '--name', 'My shop');
    account = created.id;
  });

  after(() => service.stop());

  const run = (...args: string[]) => admin(service.environment, ...args);

  const json = async <Value>(...args: string[]) =>
    (await adminJson(service.environment, args)) as Value;
  const refused = async (args: string[], reason: string | RegExp) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code, stderr).to.equal(1);
    expect(stdout).to.equal('');
    expect(stderr).to.match(typeof reason === 'string' ? new RegExp(reason) : reason);
    expect(stderr).not.to.match(/^\s+at /m);
  };

  const key = async (...args: string[]) =>
    json<Made>('credentials', 'create', '--account', account, ...args);

  describe('accounts and members', () => {
    it('creates an account and prints its id and name', async () => {
      const { code, stdout } = await run('accounts', 'create', '--name', 'Other shop');
      expect(code).to.equal(0);
      expect(stdout).to.match(/^acc_\w+ {2}Other shop\n$/);
    });

    it('H152: exports what an account owns to a new file for its owner only, and overwrites none', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'signalpost-export-'));
      try {
        const file = join(folder, 'account.ndjson');

        await json(
          'members',
          'create',
          '--account',
          account,
          '--email',
          'a@b.example',
          '--role',
          'viewer',
        );

        const { token } = await key('--kind', 'live');
        const counts = await json<Record<string, number>>(
          'accounts',
          'export',
          account,
          '--output',
          file,
        );

        expect(counts).to.include({ account: 1 });

        const text = readFileSync(file, 'utf8');
        const rows = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as { table: string });

        expect(rows).to.have.length(Object.values(counts).reduce((sum, count) => sum + count));
        expect(rows[0]).to.include({ table: 'account', id: account });
        expect(text).to.include('a@b.example').and.not.to.include(token);
        expect(statSync(file).mode & 0o777).to.equal(0o600);
        await refused(['accounts', 'export', account, '--output', file], /exists/);
        expect(readFileSync(file, 'utf8')).to.equal(text);

        const none = join(folder, 'none.ndjson');
        await refused(['accounts', 'export', 'acc_unknown', '--output', none], /account/);
        expect(existsSync(none)).to.equal(false);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('lists every account, oldest first', async () => {
      const later = await json<{ id: string }>('accounts', 'create', '--name', 'Later shop');
      const { code, stdout } = await run('accounts', 'list');
      expect(code).to.equal(0);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.at(-1)).to.equal(`${later.id}  Later shop`);
      expect(lines).to.include(`${account}  My shop`);
      const listed = await json<{ id: string; name: string }[]>('accounts', 'list');
      expect(listed.map(({ id, name }) => `${id}  ${name}`)).to.deep.equal(lines);
    });

    it('H270: gives an account a name of one line, without control characters', async () => {
      await refused(['accounts', 'create', '--name', '\u001b[2J'], /^name: Must be one line .+\n$/);

      const { token } = await key('--kind', 'internal');
      const create = (name: string) =>
        callGraphql<{ createAccount: { name: string } }>(
          service,
          token,
          'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { name } }',
          { input: { name } },
        );

      for (const odd of ['\n', '\r', '\b', '\u007f', '\u009b', '\u2028', '\u202e', '\u2066']) {
        expect(await create(`a${odd}b`).catch(String)).to.contain('validation_failed');
      }

      const hebrew = '\u200fחנות Café 店 👩‍🍳';
      expect((await create(hebrew)).createAccount.name).to.equal(hebrew);
    });

    it('H270: shows control characters in a stored name as escapes, and keeps the name', async () => {
      const { id } = await json<Made>('accounts', 'create', '--name', 'Odd');
      await service.database.query('update account set name = $2 where id = $1', [id, hostileText]);

      try {
        const { stdout } = await run('accounts', 'list');
        expect(unsafeIn(stdout)).to.deep.equal([]);
        expect(stdout).to.contain(`${id}  \\u001b]0;owned`);

        const listed = await run('accounts', 'list', '--json');
        expect(unsafeIn(listed.stdout)).to.deep.equal([]);
        expect(listed.stdout).to.match(/^\[.*\]\n$/);

        const all = JSON.parse(listed.stdout) as { id: string; name: string }[];
        expect(all.find((entry) => entry.id === id)?.name).to.equal(hostileText);
      } finally {
        await service.database.query('update account set name = $2 where id = $1', [id, 'Odd']);
      }
    });

    it('creates a member of an account', async () => {
      const args = ['--account', account, '--email', 'dev@shop.example', '--role', 'developer'];
      const member = await json<Made>('members', 'create', ...args);
      expect(member).to.include({ email: 'dev@shop.example', role: 'developer' });
      const { id } = await key('--kind', 'live', '--member', member.id);
      const [row] = await service.database.query(
        'select member_id as member from credential where id = $1',
        [id],
      );
      expect(row).to.eql({ member: member.id });
    });

    it('refuses an unknown account, an unknown role and an empty name in one line', async () => {
      const email = ['--email', 'a@b.example'];
      const unknown = ['--account', 'acc_0123456789abcdefghijklmn', ...email, '--role', 'viewer'];
      await refused(['members', 'create', ...unknown], 'No account with this id');
      const noRole = ['--account', account, ...email, '--role', 'king'];
      await refused(['members', 'create', ...noRole], 'Allowed choices are owner');
      await refused(['accounts', 'create', '--name', ''], /^name: .+\n$/);
    });
  });

  describe('credentials', () => {
    for (const kind of ['live', 'legacy'] as const) {
      it(`creates a ${kind} key that /v1 accepts and GraphQL does not`, async () => {
        const { id, token } = await key('--kind', kind);
        expect(id).to.match(/^crd_/);
        expect(token).to.match(kind === 'live' ? /^sk_live_/ : /^live_/);
        const rest = new RestClient(service.url, token);
        dataOf(await rest.get(endpointsPath), 200);
        dataOf(await rest.post(endpointsPath, endpointInput()), 201);
        const requested = await callGraphql(service, token, '{ __typename }').catch(String);
        expect(requested).to.match(/unauthorized.*internal credentials and dashboard tokens/);
      });
    }

    for (const kind of ['dashboard', 'internal'] as const) {
      it(`creates a token of kind ${kind} that GraphQL accepts`, async () => {
        const { token } = await key('--kind', kind);
        expect(token).to.match(kind === 'dashboard' ? /^dst_/ : /^int_/);
        expect(await callGraphql(service, token, '{ __typename }')).to.eql({
          __typename: 'Query',
        });
      });
    }

    it('H89: creates a key of every level and role, which may do what both allow', async () => {
      const may = { owner: 'write', admin: 'write', developer: 'write', viewer: 'read' } as const;
      const tried = [
        ...roles.map((role) => ({ role, level: 'full' })),
        { role: 'owner', level: 'read' },
      ] as const;
      for (const { role, level } of tried) {
        const { token } = await key('--kind', 'live', '--role', role, '--level', level);
        const rest = new RestClient(service.url, token);
        const what = `${role} ${level}`;
        const reads = role !== 'accountant';
        const writes = level === 'full' && role in may && may[role as keyof typeof may] === 'write';

        expect((await rest.get(endpointsPath)).status, what).to.equal(reads ? 200 : 403);

        const reply = await rest.post(endpointsPath, endpointInput());
        expect(reply.status, what).to.equal(writes ? 201 : 403);
      }
    });

    it('shows the token once: before a last line for people, or as one JSON value for programs', async () => {
      const { stdout } = await run('credentials', 'create', '--account', account, '--kind', 'live');
      expect(stdout).to.match(
        /^crd_\w+\nsk_live_\w+\nStore the token now: it is shown only once\.\n$/,
      );

      const { stdout: machine } = await run(
        'credentials',
        'create',
        '--account',
        account,
        '--kind',
        'live',
        '--json',
      );
      expect(Object.keys(JSON.parse(machine) as object)).to.eql(['id', 'token']);
    });

    it('refuses unknown kinds and levels of credentials', async () => {
      const create = ['credentials', 'create', '--account', account];
      await refused([...create, '--kind', 'test'], 'Allowed choices are live, legacy');
      await refused([...create, '--kind', 'live', '--level', 'some'], 'full, read');
      await refused(create, '--kind');
    });

    it('H86: revokes a credential at once, and accepts a second revocation', async () => {
      const { id, token } = await key('--kind', 'live');
      const rest = new RestClient(service.url, token);
      dataOf(await rest.get(endpointsPath), 200);
      expect(await json('credentials', 'revoke', id)).to.eql({ id, revoked: true });
      await eventually(async () => {
        const { errors } = toProblem(await rest.get(endpointsPath), 401);
        expect(errors.map(({ code }) => code)).to.eql(['revoked_credential']);
      }, 'the key is refused');
      expect((await run('credentials', 'revoke', id)).code).to.equal(0);
      await refused(['credentials', 'revoke', 'crd_unknown'], 'No credential with this id');
    });
  });

  describe('event-types', () => {
    interface Type {
      readonly id: string;
      readonly listed: boolean;
      readonly acceptsNewSubscriptions: boolean;
    }

    const find = async (id: string) =>
      (await json<Type[]>('event-types', 'list')).find((type) => type.id === id);

    it('lists the whole catalogue', async () => {
      const types = await json<Type[]>('event-types', 'list');
      const { rest } = await createTenant(service);
      const shown = dataOf<{ id: string }[]>(await rest.get('/v1/webhooks/event-types'), 200);
      expect(types.map(({ id }) => id)).to.have.members(shown.map(({ id }) => id));
      const { stdout } = await run('event-types', 'list');
      expect(stdout.trimEnd().split('\n')).to.have.lengthOf(types.length);
    });

    it('H29: retires and unlists an event type permanently', async () => {
      const { rest } = await createTenant(service);

      expect(await json('event-types', 'retire', 'offer.sent')).to.eql({
        id: 'offer.sent',
        retired: true,
      });

      expect(await find('offer.sent')).to.include({ listed: true, acceptsNewSubscriptions: false });

      const input = endpointInput({ event_types: ['offer.sent'] });
      const { errors } = toProblem(await rest.post(endpointsPath, input), 422);
      expect(errors[0]?.detail).to.equal('No longer offered for new subscriptions: offer.sent');

      expect(await json('event-types', 'unlist', 'offer.sent')).to.eql({
        id: 'offer.sent',
        unlisted: true,
      });

      expect(await find('offer.sent')).to.include({ listed: false });

      const { stdout } = await run('event-types', 'list');
      expect(stdout).to.match(/^offer\.sent {2}unlisted, not offered, /m);

      // One way: nothing offers it again, and doing it twice changes nothing.
      await refused(['event-types', 'offer', 'offer.sent'], 'unknown command');
      await json('event-types', 'retire', 'offer.sent');

      expect(await find('offer.sent')).to.include({
        listed: false,
        acceptsNewSubscriptions: false,
      });
    });

    it('H175: exports texts with control characters as YAML that the terminal can show', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'signalpost-catalogue-'));
      try {
        const file = join(folder, 'type.yaml');
        const description = `An order.\n${hostileText}`;
        const type = { id: 'shop.odd', category: 'shop', summary: 'Odd', description };
        const example = { [hostileText]: hostileText };
        writeFileSync(
          file,
          JSON.stringify({
            ...type,
            offered: true,
            validation: 'warn',
            versions: { v1: { schema: {}, example } },
          }),
        );

        await json('event-types', 'put', file);

        const { stdout } = await run('event-types', 'export');
        expect(unsafeIn(stdout)).to.deep.equal([]);

        const exported = parseCatalogue(stdout).find(({ id }) => id === type.id);
        expect(exported).to.deep.include({ description });
        expect(exported?.versions[0]?.example).to.deep.equal(example);

        const whole = join(folder, 'catalogue.yaml');
        await json('event-types', 'export', whole);
        expect(readFileSync(whole, 'utf8')).to.equal(stdout);

        const { changed } = await json<{ changed: unknown[] }>('event-types', 'diff', whole);
        expect(changed).to.deep.equal([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('refuses unknown event types', async () => {
      await refused(['event-types', 'retire', 'no.such'], 'No event type with this id');
      await refused(['event-types', 'unlist', 'no.such'], 'No event type with this id');
    });
  });

  it('keys rotate seals everything with the newest key, and then the older key is no longer needed', async () => {
    const older = service.environment['SECRET_KEY'] ?? '';
    const newer = `t2:${Buffer.alloc(32, 4).toString('base64')}`;
    const receiver = await startReceiver();
    const tenant = await createTenant(service);
    const { signing_secret } = await createEndpoint(tenant.rest, { url: receiver.url() });
    const send = (...keys: string[]) => ({ ...service.environment, SECRET_KEY: keys.join() });
    const secretsOf = async (environment: Record<string, string>) => {
      // No worker runs, which doctor reports as an error.
      const findings = (await adminJson(environment, ['doctor'], 1)) as { subject: string }[];
      return findings.find(({ subject }) => subject === 'secrets');
    };

    expect(await secretsOf(send(newer))).to.include({ level: 'error' });
    expect(await secretsOf(send(newer, older))).to.include({ level: 'warning' });

    const rotated = (await adminJson(send(newer, older), ['keys', 'rotate'])) as {
      resealed: number;
    };
    expect(rotated).to.deep.include({ newest: 't2', unused: ['t1'], needed: [] });
    expect(rotated.resealed).to.be.greaterThan(0);
    expect(await adminJson(send(newer, older), ['keys', 'rotate'])).to.include({ resealed: 0 });
    expect(await secretsOf(send(newer))).to.include({ level: 'ok' });

    const worker = await startWorker(send(newer));
    try {
      const id = await tenant.publish({});
      const { headers, body } = await receiver.next(
        (request) => request.headers['webhook-id'] === id,
      );
      expect(new Webhook(signing_secret).verify(body.toString(), { ...headers })).to.include({
        id,
      });
    } finally {
      await worker.end();
      await receiver.close();
    }
  });
});
