import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrations } from '../../src/database/generated/migrations.js';
import { migrateAll } from '../../src/process/migrate-all.js';
import { untilAcknowledged } from '../support/event-stream.js';
import { allowedMs, besideProbe, eventually } from '../support/eventually.js';
import {
  buildOfDump,
  commitOfDump,
  type DumpedFacts,
  dumpNames,
  restoreDump,
  type ApiHost,
  besideClients,
  type Calls,
  failuresOf,
  besideWriters,
  writers,
} from '../support/upgrade.js';
import type { TestDatabase } from '../support/database.js';
import { dataOf, endpointsPath } from '../support/endpoints.js';
import { startProcess } from '../support/process.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { RestClient } from '../support/rest-client.js';
import { sampleOf } from '../support/random.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql, GraphqlRefusal } from '../support/tenants.js';

/** Acknowledged events in each step. */
const flowing = 20;
const type = 'cart.order.completed';

/**
 * The builds up to 2.0.0 answer 503 to an event with a key when another commit takes longer than 25 ms to signal, as it
 * can on a busy machine. Nothing is stored, and clients publish again under the same key.
 */
const impatientBuilds: readonly string[] = ['0023', '0027'];
/** How often clients publish such an event. */
const tries = 3;

const isUnavailable = (error: unknown) =>
  error instanceof GraphqlRefusal && error.code === 'service_unavailable';

/** Returns what a process logged as a warning or an error, and what is no line of its log. */
function warningsOf({ api }: Service): readonly string[] {
  return api.lines.filter((line) => !/^\{"level":[1-3]0,/.test(line));
}

for (const name of dumpNames) {
  describe(`an upgrade of the database of ${name}`, function () {
    let database: TestDatabase;
    let facts: DumpedFacts;
    let receiver: Receiver;
    let service: Service;

    /** API and worker of the dump; undefined where they cannot be built. */
    let earlier: Service | undefined;
    const expected: string[] = [];
    const calls: Calls = { events: [], failures: [] };
    const failuresOfOld: string[] = [];

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
      await eventually(isOver, 'the dump gets the partitions of the present');
      expect(await migration.end(), migration.lines.join('\n')).to.equal(0);
      service = earlier = await startService({ database, build });
    });

    after(async () => {
      for (const one of [service, earlier]) await one?.stop();
      await database.drop();
      await receiver.close();
    });

    const publishKeyed = async (key: string, api: ApiHost = service): Promise<string> => {
      const input = {
        account: facts.account,
        type,
        subject: 'order:ord_1',
        data: sampleOf(type),
        key,
      };

      const { publishEvent } = await callGraphql<{ publishEvent: { id: string } }>(
        api,
        facts.internal,
        'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }',
        { input },
      );
      return publishEvent.id;
    };

    /** Publishes as a client does that an impatient build refused. */
    async function publishAgain(key: string, api: ApiHost): Promise<string> {
      const isImpatient = api === earlier && impatientBuilds.includes(name);
      for (let turn = 1; ; turn += 1) {
        try {
          return await publishKeyed(key, api);
        } catch (error) {
          if (turn === tries || !isImpatient || !isUnavailable(error)) throw error;
        }
      }
    }

    /** What both APIs logged: the causes of answers of 5xx. */
    const warnings = () =>
      [earlier, service].flatMap((one) => (one ? warningsOf(one) : [])).join('\n');

    const ofDump = () => new RestClient(service.url, facts.token);

    const startNext = () => startService({ database, workers: 2 });

    async function flow(): Promise<void> {
      const before = calls.events.length;
      const flows = () => expect(calls.events.length).to.be.at.least(before + flowing);
      await eventually(flows, 'clients get acknowledgements');
    }

    /** Migrates while others write by SQL. */
    async function migrate(): Promise<void> {
      const folder = join(repositoryRoot, 'src', 'database', 'migrations');
      const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.ts$/.test(file));
      const later = files.filter((file) => file.slice(0, 4) > name).length;
      let applied: readonly string[] = [];
      const upgrade = async () => (applied = await migrateAll(database.url));
      const { value, probeMs } = await besideProbe(
        () => database.query('select 1'),
        () => besideWriters(database, facts, upgrade),
      );

      const { events, longestMs } = value;

      expected.push(...events);
      expect(applied).to.deep.equal(
        migrations.slice(migrations.length - later).map((migration) => migration.name),
      );
      expect(events.length).to.be.at.least(writers);

      // Two statements, each of which waits for a lock for at most a second.
      expect(longestMs).to.be.lessThan(allowedMs(2_000, { probeMs }));
    }

    it('applies the migrations since, and replaces the processes, while others write and publish', async () => {
      if (!earlier) {
        await migrate();
        service = await startNext();
        return;
      }

      const old = earlier;
      const serving = [earlier];
      const ending = new Set<ApiHost>();
      const apis = { serving, ending };
      await besideClients(calls, apis, facts.token, publishAgain, async () => {
        await migrate();

        await callGraphql(
          old,
          facts.internal,
          'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
          { input: { account: facts.account, email: 'Zoe@m\u00fcnchen.example', role: 'viewer' } },
        );

        serving.push((service = await startNext()));
        await flow();
        failuresOfOld.push(...(await failuresOf(old)));

        // Clients call it until it is gone.
        ending.add(old);

        const processes = [old.api, ...old.workers];
        expect(await Promise.all(processes.map((one) => one.end()))).to.deep.equal([0, 0]);
        await flow();
      });

      expected.push(...calls.events);
    });

    const answers = 'H206: the API answers every request during the upgrade';

    if (commitOfDump(name) === undefined)
      it(`${answers} (pending: the clone lacks the commit of the dump)`);
    else
      it(answers, async () => {
        if (!earlier) throw new Error('the API of the dump does not run');
        expect(calls.failures, warnings()).to.deep.equal([]);
        expect(await failuresOf(service), warnings()).to.deep.equal([]);

        if (!impatientBuilds.includes(name)) {
          expect(failuresOfOld, warnings()).to.deep.equal([]);
          return;
        }

        const refusals = /^signalpost_graphql_errors_total\{code="service_unavailable"\}/;
        expect(failuresOfOld.filter((line) => !refusals.test(line))).to.deep.equal([]);
        const causes = warningsOf(earlier).filter((line) => line.includes('error in GraphQL'));
        // A lock timeout of PostgreSQL.
        expect(causes.filter((line) => !line.includes('"code":"55P03"'))).to.deep.equal([]);
      });

    it('H275: stores the form of an address that the API of the dump wrote on the new schema', async () => {
      if (!earlier) return;
      await eventually(async () => {
        const forms = await database.query(
          `select mailbox from member where email = 'Zoe@m\u00fcnchen.example'`,
        );
        expect(forms).to.deep.equal([{ mailbox: 'zoe@xn--mnchen-3ya.example' }]);
      }, 'a worker of this version stores it');
    });

    it('takes new events, and answers no request with 5xx', async () => {
      for (let number = 1; number <= 50; number += 1) {
        const key = `after-${number}`;
        expected.push(await untilAcknowledged(() => publishKeyed(key), key));
        dataOf(await ofDump().get(endpointsPath), 200);
      }
      expect(await failuresOf(service), warnings()).to.deep.equal([]);
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

    it('answers the keys of the dump as before', async () => {
      const { idempotent, publishKey, pending } = facts;
      const again = await ofDump().post(endpointsPath, idempotent.body, { key: idempotent.key });
      expect([again.status, again.body]).to.deep.equal([idempotent.status, idempotent.response]);
      expect(await publishKeyed('pending-1')).to.equal(pending[1]);
      expect(await publishKeyed(publishKey.key)).to.equal(publishKey.event);
    });
  });
}
