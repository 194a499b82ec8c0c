import { expect } from 'chai';
import pg from 'pg';
import { readChanges } from '../../../../src/domain/stream/changes.js';
import {
  firstTimedSnapshot,
  type TimedSnapshot,
  nextTimedSnapshot,
  type ServerState,
  writtenSince,
  oldestWriter,
  readServerState,
} from '../../../../src/domain/stream/snapshot.js';
import { smallestId } from '../../../../src/domain/values/id.js';
import type { Read } from '../../../../src/domain/transaction/tx.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const account = 'acc_1';
const setBackMs = 10_000;

describe('a stream while the clock of PostgreSQL is set back', () => {
  let test: TestDatabase;
  let read: Read;
  let writer: pg.Client;

  /** What was subtracted from the clock. */
  let setBack = 0;

  before(async () => {
    test = await createTestDatabase();
    ({ read } = await test.open());
    writer = new pg.Client({ connectionString: test.url });
    await writer.connect();
  });

  after(async () => {
    await writer.end();
    await test.drop();
  });

  const state = async (): Promise<ServerState> => {
    const present = await readServerState(read);
    return { ...present, at: present.at - setBack };
  };

  const next = async (moment: TimedSnapshot) =>
    nextTimedSnapshot(moment, await state(), performance.now());
  const changes = async (earlier: TimedSnapshot, later: TimedSnapshot) => {
    const difference = {
      base: earlier.snapshot,
      target: later.snapshot,
      since: writtenSince(earlier, later),
    };
    const found = await readChanges(read, [{ account, after: '' }], difference, 10);
    return (found.get(account) ?? []).map(({ id }) => id);
  };

  const insertAt = (at: number, number: number) => {
    const id = `${smallestId('evt', new Date(at))}${String(number).padStart(16, '0')}`;
    const text = `insert into event (id, account_id, type, version, subject, test, body, occurred_at,
                                     created_at, written_at)
      values ('${id}', '${account}', 't', 'v1', 's', false, '{}', to_timestamp(${at} / 1000.0),
              now(), to_timestamp(${at} / 1000.0))`;
    return { id, text };
  };

  it('H159: a stream shows what a transaction wrote that was open when the clock was set back', async () => {
    const started = await readServerState(read);
    const first = firstTimedSnapshot(started, performance.now(), await oldestWriter(read));
    const early = insertAt(started.at, 1);

    await writer.query('begin');
    await writer.query(early.text);

    const during = await next(first);
    setBack = setBackMs;

    const after = await next(during);
    const late = insertAt(Math.ceil(after.at), 2);
    await writer.query(late.text);
    await writer.query('commit');

    const ended = await next(after);
    expect(await changes(first, during)).to.deep.equal([]);
    expect(await changes(during, after)).to.deep.equal([]);
    expect(await changes(after, ended)).to.have.members([early.id, late.id]);
  });
});
