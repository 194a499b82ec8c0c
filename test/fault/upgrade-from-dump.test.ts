import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrations } from '../../src/database/generated/migrations.js';
import { makeId } from '../../src/domain/id.js';
import { migrateAll } from '../../src/process/migrate-all.js';
import { untilAcknowledged } from '../support/api-event-stream.js';
import { buildOfDump } from '../support/build-of-dump.js';
import type { TestDatabase } from '../support/database.js';
import { type DumpedFacts, dumpNames, restoreDump } from '../support/dump.js';
import { dataOf, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/process.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { RestClient } from '../support/rest-client.js';
import { sampleOf } from '../support/sample.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql } from '../support/tenants.js';
import { besideClients, type Calls, failuresOf } from '../support/upgrade-clients.js';

const writers = 3;
const type = 'cart.order.completed';

/** What processes of an earlier version write when they publish: the columns of the first migration. */
const publish = `
  with stored as (
    insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
    values ($1, $2, $3, 'v1', 'order:ord_1', false, convert_to('{"data":{}}', 'UTF8'), now(), now())
    returning id)
  insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                                attempt, max_attempts, test, created_at)
  select replace(s.id, 'evt_', 'pdl_'), $2, $4, s.id, $3, 'live', true, now(), 1, 10, false, now()
    from stored s`;
const recordFailure =
  'update endpoint set failure_count = failure_count + 1, updated_at = now() where id = $1';

/** Writes while `work` runs. @returns the events that were committed, and the longest pause in ms */
async function besideWriters(
  database: TestDatabase,
  { account, endpoints }: DumpedFacts,
  work: () => Promise<unknown>,
): Promise<{ readonly events: readonly string[]; readonly longestMs: number }> {
  const events: string[] = [];
  const state = { isOver: false, longestMs: 0 };
  const writing = Array.from({ length: writers }, async () => {
    do {
      const startedAt = performance.now();
      const id = makeId('evt', new Date());
      await database.query(publish, [id, account, type, endpoints[0]?.id]);
      await database.query(recordFailure, [endpoints[1]?.id]);
      events.push(id);
      state.longestMs = Math.max(state.longestMs, performance.now() - startedAt);
    } while (!state.isOver);
  });
  await work().finally(() => (state.isOver = true));
  await Promise.all(writing);
  return { events, longestMs: state.longestMs };
}

for (const name of dumpNames) {
  describe(`an upgrade of the database of ${name}`, function () {
    this.timeout(240_000);
    let database: TestDatabase;
    let facts: DumpedFacts;
    let receiver: Receiver;
    let service: Service;
    /** API and worker of the dump; undefined where they cannot be built. */
    let earlier: Service | undefined;
    const expected: string[] = [];
    const calls: Calls = { events: [], failures: [] };

    before(async () => {
      receiver = await startReceiver();
      ({ database, facts } = await restoreDump(name));
      for (const { id, path } of facts.endpoints)
        await database.query('update endpoint set url = $2 where id = $1', [
          id,
          receiver.url(path),
        ]);
      expected.push(...facts.pending);
      const build = buildOfDump(name);
      if (build === undefined) {
        process.stdout.write(`  This clone lacks the commit that added the dump ${name}.\n`);
        return;
      }
      const migrating = { DATABASE_URL: database.url };
      const migration = startProcess(join(build, 'tools', 'migrate', 'main.js'), migrating);
      const isOver = () => expect(migration.running).to.equal(false);
      await eventually(isOver, 'the dump gets the partitions of the present', 60_000);
      expect(await migration.end(), migration.lines.join('\n')).to.equal(0);
      service = earlier = await startService({ database, build });
    });
    after(async () => {
      for (const one of [service, earlier]) await one?.stop();
      await database.drop();
      await receiver.close();
    });

    const publishKeyed = async (key: string): Promise<string> => {
      const input = {
        account: facts.account,
        type,
        subject: 'order:ord_1',
        data: sampleOf(type),
        key,
      };
      const { publishEvent } = await callGraphql<{ publishEvent: { id: string } }>(
        ...([service, facts.internal] as const),
        'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }',
        { input },
      );
      return publishEvent.id;
    };
    const ofDump = () => new RestClient(service.url, facts.token);

    it('applies the migrations since, while others write and publish', async () => {
      const folder = join(repositoryRoot, 'src', 'database', 'migrations');
      const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.ts$/.test(file));
      const later = files.filter((file) => file.slice(0, 4) > name).length;
      let applied: readonly string[] = [];
      const upgrade = async () => (applied = await migrateAll(database.url));
      const write = () => besideWriters(database, facts, upgrade);
      const { events, longestMs } = earlier
        ? await besideClients(calls, earlier, facts.token, publishKeyed, write)
        : await write();
      expected.push(...events, ...calls.events);
      expect(applied).to.deep.equal(
        migrations.slice(migrations.length - later).map((each) => each.name),
      );
      expect(events.length).to.be.at.least(writers);
      // A statement waits for a lock for at most a second; the rest is a busy machine.
      expect(longestMs).to.be.lessThan(3_000);
      service = await startService({ database, workers: 2 });
    });

    it('H206: answers every request to the API of the dump meanwhile', async function () {
      if (!earlier) this.skip();
      expect(calls.failures).to.deep.equal([]);
      expect(await failuresOf(earlier)).to.deep.equal([]);
      expect(calls.events).not.to.deep.equal([]);
      await earlier.stop();
    });

    it('takes new events, and answers no request with 5xx', async () => {
      for (let number = 1; number <= 50; number += 1) {
        const key = `after-${number}`;
        expected.push(await untilAcknowledged(() => publishKeyed(key), key));
        dataOf(await ofDump().get(endpointsPath), 200);
      }
      expect(await failuresOf(service)).to.deep.equal([]);
    });

    it('delivers what was pending and what came since, with the secrets of the dump', async () => {
      await eventually(
        () => {
          const arrived = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
          expect(expected.filter((event) => !arrived.has(event))).to.deep.equal([]);
        },
        'every event arrives',
        120_000,
      );
      for (const { path, secret } of facts.endpoints) {
        const requests = receiver.requests.filter((request) => request.path === path);
        const events = requests.map(({ headers }) => headers['webhook-id']);
        expect(events).to.include.members([...facts.pending]);
        for (const request of requests)
          expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });
      }
      await eventually(async () => {
        const open = await database.query('select id from pending_delivery');
        expect(open).to.deep.equal([]);
      }, 'every delivery is recorded');
    });

    it('remembers what was done under its keys', async () => {
      const { idempotent, publishKey, pending } = facts;
      const again = await ofDump().post(endpointsPath, idempotent.body, { key: idempotent.key });
      expect([again.status, again.body]).to.deep.equal([idempotent.status, idempotent.response]);
      expect(await publishKeyed('pending-1')).to.equal(pending[1]);
      expect(await publishKeyed(publishKey.key)).to.equal(publishKey.event);
    });
  });
}
