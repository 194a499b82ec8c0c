import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { adminJson } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { listenOn, portOf, SocketPairs } from '../support/sockets.js';

interface Finding {
  readonly subject: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly detail: string;
}

describe('admin doctor, of connections', () => {
  let database: TestDatabase;

  before(async () => (database = await createTestDatabase()));
  after(() => database.drop());

  const runDoctor = async (databaseUrl: string, code: number) => {
    const environment = {
      DATABASE_URL: databaseUrl,
      BASE_URL: 'https://api.example',
      SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    };
    return (await adminJson(environment, ['doctor'], code)) as Finding[];
  };

  it('names the settings that each kind of connection lacks behind a pooler that drops start-up options', async () => {
    const pooler = await openPooler(database.url);
    try {
      const findings = await runDoctor(pooler.url, 1);
      const errors = findings.filter(({ level }) => level === 'error');
      expect(errors).to.have.lengthOf(1);
      expect(errors[0]?.subject).to.equal('connections');

      expect(errors[0]?.detail)
        .to.match(
          /^connections of the API lack jit=off, enable_seqscan=off, enable_bitmapscan=off;/,
        )
        .and.include('connections of the queue lack jit=off, search_path=bullmq');
    } finally {
      await pooler.close();
    }
  });

  it('warns if PostgreSQL hides the sessions of other roles, and names the grant', async () => {
    const role = `Own_${randomBytes(6).toString('hex')}`;
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';

    const hidden = async () => {
      const findings = await runDoctor(url.href, 0);
      return findings.filter(({ detail }) => detail.includes('pg_read_all_stats'));
    };

    await database.query(`create role "${role}" login password 'secret' in role pg_read_all_data`);

    try {
      const [warning, ...others] = await hidden();
      expect(others).to.deep.equal([]);
      expect(warning?.level).to.equal('warning');

      const grant = /^.*: (grant pg_read_all_stats to .*)$/.exec(warning?.detail ?? '')?.[1] ?? '';
      expect(grant).to.equal(`grant pg_read_all_stats to "${role}"`);
      await database.query(grant);
      expect(await hidden()).to.deep.equal([]);
      await database.query(
        `revoke pg_read_all_stats from "${role}"; grant pg_monitor to "${role}"`,
      );
      expect(await hidden()).to.deep.equal([]);
    } finally {
      await database.query(`drop role "${role}"`);
    }
  });

  it('reports no problem if the URL has its own options', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c jit=on -c search_path=public');
    const findings = await runDoctor(url.href, 0);
    const wrong = findings.filter(({ level }) => level !== 'ok');
    // This database has no worker, and no mail server beside it.
    expect(wrong.map(({ subject }) => subject)).to.deep.equal(['workers', 'mail']);
  });
});

/** A pooler before PostgreSQL that drops start-up options, as PgBouncer can (ignore_startup_parameters). */
interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a {@link Pooler} before the database of `address`. */
async function openPooler(address: string): Promise<Pooler> {
  const target = new URL(address);
  const pairs = new SocketPairs();
  const server = await listenOn(0, (outer) => {
    const inner = pairs.connect(outer, Number(target.port));
    inner.pipe(outer);
    outer.once('data', (packet: Buffer) => {
      inner.write(withoutOptions(packet));
      outer.pipe(inner);
    });
  });

  const url = new URL(address);
  url.port = String(portOf(server));

  return { url: url.href, close: () => pairs.close(server) };
}

/** A start-up packet has a length, the protocol, and names and values that end with NUL. */
function withoutOptions(packet: Buffer): Buffer {
  const words = packet.subarray(8, -2).toString().split('\0');
  const at = words.findIndex((word, index) => index % 2 === 0 && word === 'options');
  if (at !== -1) words.splice(at, 2);
  const rest = Buffer.from(`${words.join('\0')}\0\0`);
  const head = Buffer.from(packet.subarray(0, 8));
  head.writeInt32BE(head.length + rest.length);
  return Buffer.concat([head, rest]);
}
