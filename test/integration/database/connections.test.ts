import { mock } from 'node:test';
import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { isUnavailable } from '../../../src/domain/transaction/unavailable.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { connect, createServer, type AddressInfo, type Socket, type Server } from 'node:net';
import { NotificationListener } from '../../../src/database/connection.js';
import { through } from '../../support/queue-backends.js';

const insertAccount = {
  name: 'test-insert-account',
  text: 'insert into account (id, name, created_at) values ($1, $2, $3)',
};
const backend = { name: 'test-backend', text: 'select pg_backend_pid() as pid' };
const one = { name: 'test-one', text: 'select 1 as one' };
const readOnly = { default_transaction_read_only: 'on' };

describe('connections to PostgreSQL', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());
  afterEach(() => {
    for (const pid of paused.splice(0)) process.kill(pid, 'SIGCONT');
  });

  const paused: number[] = [];

  function pause(pid: number): void {
    process.kill(pid, 'SIGSTOP');
    paused.push(pid);
  }

  it('keeps one connection after a quiet time, with its prepared statements', async () => {
    const text =
      'select pg_backend_pid() as pid, count(*)::int as prepared from pg_prepared_statements';
    const connections = () =>
      test.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'quiet'`,
      );

    mock.timers.enable({ apis: ['setTimeout'] });

    let quiet: Database;
    try {
      quiet = await test.open({ applicationName: 'quiet' });
      const ask = () => quiet.read.sql({ name: 'test-prepared', text }, []);
      await Promise.all([ask(), ask()]);
      expect(await connections()).to.have.length(2);
      mock.timers.tick(3_600_000);
    } finally {
      mock.timers.reset();
    }

    const [kept] = await eventually(async () => {
      const left = await connections();
      expect(left).to.have.length(1);
      return left;
    }, 'one connection is left');

    expect(await quiet.read.sql({ name: 'test-prepared', text }, [])).to.deep.equal([
      { ...kept, prepared: 1 },
    ]);
  });

  it('survives connections that end in the moment they are made', async () => {
    const killer = await openConnectionKiller(test.url);
    try {
      const behind = await test.open({ url: killer.url });
      killer.killWhenReady((pid) => test.query('select pg_terminate_backend($1)', [pid]));
      // The pool's only connection so far is in use: this one is new.
      const failed = await behind.transact(async () =>
        behind.transact(() => Promise.resolve('in')).catch((error: unknown) => error),
      );
      expect(isUnavailable(failed)).to.equal(true);
    } finally {
      killer.close();
    }
  });

  it('survives the loss of its connection inside a transaction', async () => {
    const failed = await database
      .transact(async (tx) => {
        await test.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalpost-test' and state like 'idle in%'`,
        );
        return tx.sql(one, []);
      })
      .catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(await database.transact((tx) => tx.sql(one, []))).to.deep.equal([{ one: 1 }]);
  });

  it('does not wait for a paused PostgreSQL', async () => {
    const impatient = await test.open({ statementTimeoutMs: 2_000 });
    const failed = await impatient
      .transact(async (tx) => {
        const [row] = await tx.sql<{ pid: number }>(backend, []);
        pause(row?.pid ?? 0);
        return tx.sql(one, []);
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(failed)).to.equal(true);
    expect(await impatient.transact((tx) => tx.sql(one, []))).to.deep.equal([{ one: 1 }]);
  });

  it('does not reuse a connection that did not answer', async () => {
    const impatient = await test.open({ statementTimeoutMs: 2_000, pool: 1 });
    const ask = () => impatient.read.manager.query<{ pid: number }[]>(backend.text);
    const pid = (await ask())[0]?.pid ?? 0;
    pause(pid);
    expect(isUnavailable(await ask().catch((error: unknown) => error))).to.equal(true);
    expect((await ask())[0]?.pid)
      .to.be.a('number')
      .and.not.equal(pid);
  });

  it('does not reuse a connection that refused to write', async () => {
    const only = await test.open({ pool: 1 });
    const text = 'set default_transaction_read_only = on';
    await only.read.sql({ name: 'test-read-only', text }, []);
    const insert = () =>
      only.transact((tx) => tx.sql(insertAccount, ['acc_written', 'Acme', tx.now]));
    expect(isUnavailable(await insert().catch((error: unknown) => error))).to.equal(true);
    await insert();
    expect(await test.query(`select from account where id = 'acc_written'`)).to.have.length(1);
  });

  it('does not wait for a paused PostgreSQL after it refused to write', async () => {
    const only = await test.open({ pool: 1, serverSettings: readOnly });
    const failed = await only
      .transact(async (tx) => {
        const [row] = await tx.sql<{ pid: number }>(backend, []);
        return tx
          .sql(insertAccount, ['acc_paused', 'Acme', tx.now])
          .finally(() => pause(row?.pid ?? 0));
      })
      .catch((error: unknown) => error);
    expect(isUnavailable(failed)).to.equal(true);
  });

  it('reuses a connection on which a statement failed', async () => {
    const only = await test.open({ pool: 1 });
    const ask = () => only.read.manager.query<{ pid: number }[]>(backend.text);
    const before = await ask();
    const failed: unknown = await only.read.manager
      .query('select 1 / 0')
      .catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(await ask()).to.deep.equal(before);
  });
});

/** A proxy before PostgreSQL that can end connections at the moment they become ready. */
interface ConnectionKiller {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /**
   * From now on ends each connection as soon as it is ready. The client gets "ready" and the end in
   * one packet, as a process does that is busy meanwhile.
   * @param end terminates this backend at the server
   */
  killWhenReady(end: (pid: number) => Promise<unknown>): void;
  close(): void;
}

/** ReadyForQuery outside of a transaction (PostgreSQL documentation, "Message Formats"). */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** The start of BackendKeyData; the process id follows. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Opens a proxy to the server of `url`. */
async function openConnectionKiller(url: string): Promise<ConnectionKiller> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let end: ((pid: number) => Promise<unknown>) | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    if (end) holdUntilReady(upstream, client, end);
    else upstream.pipe(client);
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const killer = new URL(url);
  killer.port = String((server.address() as AddressInfo).port);

  return {
    url: killer.href,
    killWhenReady(how) {
      end = how;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Forwards the data of the server until it is ready; then sends the rest and the end in one piece. */
function holdUntilReady(
  upstream: Socket,
  client: Socket,
  end: (pid: number) => Promise<unknown>,
): void {
  let received = Buffer.alloc(0);
  let held: Buffer | undefined;
  upstream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (held) held = Buffer.concat([held, chunk]);
    else if (received.includes(ready)) {
      held = chunk;
      void end(received.readInt32BE(received.indexOf(keyData) + keyData.length));
    } else client.write(chunk);
  });
  upstream.on('end', () => client.end(held ?? ''));
}

describe('the connection that listens', () => {
  let database: TestDatabase;
  let server: Server;
  const sockets = new Set<Socket>();
  let dropped = 0;

  /** Forwards everything but the first LISTEN, as a network that begins to drop packets just then. */
  before(async () => {
    database = await createTestDatabase();

    server = createServer((outer) => {
      const inner = connect(Number(new URL(database.url).port), '127.0.0.1');
      outer.on('data', (chunk) => {
        if (dropped === 0 && chunk.includes('LISTEN')) dropped += 1;
        else inner.write(chunk);
      });
      inner.pipe(outer);
      for (const socket of [outer, inner]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
    });

    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await database.drop();
  });

  it('replaces a listening connection that gets no response to LISTEN', async () => {
    const { port } = server.address() as AddressInfo;
    let received = 0;
    const listener = new NotificationListener({
      url: through({ port }, database.url),
      channels: { test_channel: () => (received += 1) },
      onError: () => undefined,
    });
    try {
      await eventually(async () => {
        await database.query(`select pg_notify('test_channel', '')`);
        expect(received).to.be.above(1);
      }, 'it hears notifications');
      expect(dropped).to.equal(1);
    } finally {
      await listener.close();
    }
  });
});
