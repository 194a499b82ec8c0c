import { expect } from 'chai';
import {
  firstTimedSnapshot,
  type TimedSnapshot,
  nextTimedSnapshot,
  unseenSince,
  writtenSince,
  oldestWriter,
  readServerState,
  seesAllOf,
} from '../../../../src/domain/stream/snapshot.js';
import {
  type AccountReader,
  orderKey,
  readChanges,
  readPage,
} from '../../../../src/domain/stream/changes.js';
import {
  type Bound,
  decodePosition,
  encodePosition,
  positionAt,
  type StreamPosition,
} from '../../../../src/domain/stream/position.js';
import type { Read } from '../../../../src/domain/transaction/tx.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { seededRandom } from '../../../support/random.js';
import { StreamWriters } from '../../../support/event-stream.js';

const writers = 12;
const accounts = ['acc_1', 'acc_2', 'acc_3'];
describe('differences of snapshots beside concurrent writers', () => {
  const { seed, random } = seededRandom();
  let test: TestDatabase;
  let read: Read;
  let writing = 0;
  /** In milliseconds of PostgreSQL's clock. */
  let startedAt: number;

  before(async () => {
    test = await createTestDatabase();
    ({ read } = await test.open());
    startedAt = (await readServerState(read)).at;
  });

  after(() => test.drop());

  const present = ({ snapshot, ...moment }: TimedSnapshot): Bound => ({
    snapshot,
    since: unseenSince({ snapshot, ...moment }),
  });

  async function committed(): Promise<string[]> {
    const rows = await test.query<{ id: string }>(
      'select id from event union all select id from delivery',
    );
    return rows.map(({ id }) => id);
  }

  function compare(rows: readonly string[], streamed: readonly string[]): object {
    const all = new Set(rows);
    const seen = new Set(streamed);
    return {
      missed: rows.filter((id) => !seen.has(id)),
      repeated: streamed.filter((id, index) => streamed.indexOf(id) !== index || !all.has(id)),
    };
  }

  /** Reads as the hub of a process does: all accounts, between one moment and the next. */
  async function asHub(first: TimedSnapshot, ended: () => boolean): Promise<string[]> {
    const ids: string[] = [];
    let moment = first;
    for (;;) {
      const last = ended();
      const next = nextTimedSnapshot(moment, await readServerState(read), performance.now());
      const difference = {
        base: moment.snapshot,
        target: next.snapshot,
        since: writtenSince(moment, next),
      };

      let readers: AccountReader[] = accounts.map((account) => ({ account, after: '' }));
      while (readers.length > 0) {
        const found = await readChanges(read, readers, difference, 3);
        readers = readers.flatMap(({ account }) => {
          const changes = found.get(account) ?? [];
          ids.push(...changes.map(({ id }) => id));
          const end = changes.at(-1);
          return end && changes.length === 3 ? [{ account, after: orderKey(end) }] : [];
        });
      }

      moment = next;
      if (last) return ids;
    }
  }

  /** Reads as clients do that reconnect after each few items, with what another process told them. */
  async function asResumingClient(
    account: string,
    first: TimedSnapshot,
    ended: () => boolean,
  ): Promise<string[]> {
    const ids: string[] = [];
    let moment = first;
    let position: StreamPosition = { database: moment.database, base: present(moment) };
    for (;;) {
      const last = ended();
      moment = nextTimedSnapshot(moment, await readServerState(read), performance.now());

      const target = present(moment);
      do {
        const page = await readPage(read, account, position, target, 4);
        const kept = random.integer(0, 4);
        const taken = page.changes.slice(0, kept);

        ids.push(...taken.map(({ change }) => change.id));

        const held =
          taken.length === page.changes.length
            ? page.position
            : (taken.at(-1)?.position ?? position);

        const text = encodePosition(held);
        expect(text.length).to.be.lessThan(400);
        position = decodePosition(text)!;
      } while (position.within || !seesAllOf(position.base.snapshot, target.snapshot));

      if (last) return ids;
    }
  }

  it('H159: a stream misses nothing and repeats nothing, in the order of commits that PostgreSQL chooses', async () => {
    writing = writers + 1;

    const ended = () => writing === 0;
    const state = await readServerState(read);
    const first = firstTimedSnapshot(state, performance.now(), await oldestWriter(read));
    const hub = asHub(first, ended);
    const clients = accounts.map((account) => asResumingClient(account, first, ended));
    const crowd = new StreamWriters(test.url, accounts, random);
    const done = () => (writing -= 1);
    const fast = Array.from({ length: writers }, () => crowd.write(70).finally(done));

    await Promise.all([crowd.writeSlowly().finally(done), ...fast]);

    const rows = await committed();
    expect(rows.length, `seed ${seed}`).to.be.greaterThan(1_000);

    const none = { missed: [], repeated: [] };
    expect(compare(rows, await hub), `hub, seed ${seed}`).to.deep.equal(none);

    const resumed = (await Promise.all(clients)).flat();
    expect(compare(rows, resumed), `clients, seed ${seed}`).to.deep.equal(none);
  });

  it('H159: a stream from a time in the past shows what is left of it, once', async () => {
    const state = await readServerState(read);
    const bound = { snapshot: state.snapshot, since: state.at };
    // The writers give some rows ids of up to 8 s ago.
    const since = startedAt - 60_000;
    const ids: string[] = [];
    for (const account of accounts) {
      let position = positionAt(state.database, since);
      do {
        const page = await readPage(read, account, position, bound, 50);
        ids.push(...page.changes.map(({ change }) => change.id));
        ({ position } = page);
      } while (position.within);
    }
    expect(compare(await committed(), ids)).to.deep.equal({ missed: [], repeated: [] });
  });
});
