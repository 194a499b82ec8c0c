import { expect } from 'chai';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DocumentCode, extractCode } from '../support/documents.js';

interface Event {
  readonly id: string;
  readonly subject: string;
  readonly time: string;
  readonly data: { readonly total: number };
}
type Once = (
  client: pg.Client,
  event: Event,
  work: (event: Event) => Promise<void>,
) => Promise<void>;
type TakeNewer = (client: pg.Client, event: Event) => Promise<void>;

const event = (id: string, time: string, total: number): Event => ({
  id,
  subject: 'order:ord_1',
  time,
  data: { total },
});

describe('docs/receiving.md on a database', () => {
  let code: DocumentCode;
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    code = extractCode('docs/receiving.md');
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      'create table inbox (event_id text primary key, received_at timestamptz not null default now())',
    );
    await client.query(
      'create table known (subject text primary key, happened_at timestamptz not null, data json not null)',
    );
  });

  after(async () => {
    await client.end();
    await database.drop();
    code.remove();
  });

  it('shows how to handle an event once that comes twice', async () => {
    const { once } = await code.load<{ once: Once }>('inbox.mjs');
    const worked: string[] = [];
    const work = ({ id }: Event) => Promise.resolve(void worked.push(id));
    await once(client, event('evt_1', '2026-11-20T12:00:00.000Z', 1), work);
    await once(client, event('evt_1', '2026-11-20T12:00:00.000Z', 1), work);
    await once(client, event('evt_2', '2026-11-20T12:00:00.000Z', 1), work);
    expect(worked).to.deep.equal(['evt_1', 'evt_2']);
  });

  it('shows how to handle an event again whose work failed', async () => {
    const { once } = await code.load<{ once: Once }>('inbox.mjs');
    const late = event('evt_3', '2026-11-20T12:00:00.000Z', 1);
    let failure: unknown;
    await once(client, late, () => Promise.reject(new Error('no room'))).catch(
      (error: unknown) => (failure = error),
    );
    expect(failure).to.be.instanceOf(Error);
    let worked = false;
    await once(client, late, () => Promise.resolve(void (worked = true)));
    expect(worked).to.equal(true);
  });

  it('shows how a later state wins over one that arrives late', async () => {
    const { takeNewer } = await code.load<{ takeNewer: TakeNewer }>('newer.mjs');
    await takeNewer(client, event('evt_5', '2026-11-20T12:00:05.000Z', 5));
    await takeNewer(client, event('evt_4', '2026-11-20T12:00:04.000Z', 4));
    expect(await known()).to.deep.equal({ total: 5 });
    await takeNewer(client, event('evt_6', '2026-11-20T12:00:06.000Z', 6));
    expect(await known()).to.deep.equal({ total: 6 });
  });

  async function known(): Promise<unknown> {
    const { rows } = await client.query<{ data: unknown }>('select data from known');
    return rows[0]?.data;
  }
});
