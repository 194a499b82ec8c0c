import { expect } from 'chai';
import { channelOf } from '../../../../src/domain/wakeup.js';
import { type Cluster, startCluster } from '../../../support/cluster.js';
import { eventually } from '../../../support/eventually.js';
import { Publishing } from '../../../support/publisher.js';

/** Commits that notify follow each other; this one waits for its standby, which is away. */
const stalledCommit = (first: string) => `
  begin;
  set local synchronous_commit = on;
  ${first};
  select pg_notify('other', ''), pg_logical_emit_message(true, 'other', '');
  commit`;

/** A signal in a transaction of its own, as settings of a production server treat it. */
const signal = `
  begin;
  set local synchronous_commit = on;
  select pg_notify('other', '');
  commit`;

const stalled = `from pg_stat_activity where wait_event = 'SyncRep'`;

describe('group commit of a lone event while another commit that notifies is under way', () => {
  let cluster: Cluster;
  let publishing: Publishing;

  before(async () => {
    const settings = { synchronous_standby_names: 'absent', synchronous_commit: 'local' };
    cluster = await startCluster({ settings });
    publishing = await Publishing.create(cluster);
    await publishing.reset();
  });

  after(async () => {
    await publishing.test.drop();
    await cluster.stop();
  });

  /** Publishes an event during a commit that notifies. */
  async function sendDuring(stalledFirst: string, input: { readonly key?: string }): Promise<void> {
    const { test } = publishing;
    publishing.woken.length = 0;

    const commit = test.query(stalledCommit(stalledFirst));
    try {
      await eventually(async () => {
        expect(await test.query(`select pid ${stalled}`)).to.have.lengthOf(1);
      }, 'the other commit waits for its standby');
      expect(await publishing.send(input)).to.have.property('created', true);
      expect(await test.query(`select pid ${stalled}`)).to.have.lengthOf(1);
      expect(publishing.woken).to.deep.equal([{ kind: 'due' }]);
    } finally {
      await test.query(`select pg_cancel_backend(pid) ${stalled}`);
      // To its client, a commit whose wait was cancelled is lost.
      await Promise.allSettled([commit]);
    }
  }

  it('does not wait for the commit of another lone event, and signals after its own', () =>
    sendDuring(`select pg_try_advisory_xact_lock(hashtextextended('${channelOf('due')}', 0))`, {}));

  it('stores an event with a key without waiting for that commit', () =>
    sendDuring('select 1', { key: 'k' }));

  it('lets the signal of another group wait for no disk and no standby', async () => {
    const { test } = publishing;
    let committed = false;
    const commit = test.query(signal).then(() => (committed = true));
    try {
      await eventually(() => expect(committed).to.equal(true), 'the signal is committed', 10_000);
    } finally {
      await test.query(`select pg_cancel_backend(pid) ${stalled}`);
      await Promise.allSettled([commit]);
    }
  });
});
