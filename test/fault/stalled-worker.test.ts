import { accessSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { answer, type Behaviour } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { preloaded } from '../support/preloaded.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('R11: a worker that stalls past its lease', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  let folder: string;
  let event: string;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-stalled-'));
    stream = await openEventStream(queue);
  });

  afterEach(async () => {
    await stream.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The first request makes its worker stand still before it is answered. */
  async function stallAtFirstRequest(stall: () => unknown): Promise<void> {
    const stalls: Behaviour = async (request, response) => {
      await stall();
      return answer(200)(request, response);
    };
    stream.receiver.script(stalls);
    event = await stream.publish();
    await stream.receiver.next();
  }

  const records = () =>
    stream.database.query('select attempt, status from delivery where event_id = $1', [event]);
  const once = [{ attempt: 1, status: 'success' }];
  const recordedByAnother = () =>
    eventually(async () => expect(await records()).to.deep.equal(once), 'another one records it');

  it('another worker delivers when a process stops past its lease, and the first records nothing later', async () => {
    const stalled = await stream.startWorker();
    await stallAtFirstRequest(() => process.kill(stalled.pid, 'SIGSTOP'));
    await stream.startWorker();
    await recordedByAnother();
    process.kill(stalled.pid, 'SIGCONT');
    await eventually(() => {
      expect(stalled.lines.some((line) => line.includes('attempt not recorded'))).to.equal(true);
    }, 'it goes on and says so');
    expect(await stalled.end()).to.equal(0);
    expect(await stream.close('process stopped past its lease')).to.include({ duplicates: 1 });
    expect(await records()).to.deep.equal(once);
  });

  it('refuses the record of a worker whose event loop was blocked past its lease', async () => {
    const UNBLOCK = join(folder, 'go-on');
    // For itself its lease goes on: what it has is refused by the token, not dropped for being late.
    const WEBHOOKS_TIMEOUT = '30s';
    const settings = { ...preloaded('preload-blocking'), UNBLOCK, WEBHOOKS_TIMEOUT };
    const stalled = await stream.startWorker(settings);
    await stallAtFirstRequest(async () => {
      process.kill(stalled.pid, 'SIGUSR2');
      // Else it could read the answer, and send its record, before it handles the signal.
      await eventually(() => accessSync(`${UNBLOCK}.blocked`), 'it is blocked');
    });

    await stream.endLeases();
    await stream.startWorker();
    await recordedByAnother();
    writeFileSync(UNBLOCK, '');

    await eventually(() => {
      const line = stalled.lines.find((entry) => entry.includes('attempt not recorded'));
      expect(line).to.include('claim lost');
    }, 'it tries to record and is refused');

    expect(await stalled.end()).to.equal(0);
    expect(await stream.close('event loop blocked past its lease')).to.include({ duplicates: 1 });
    expect(await records()).to.deep.equal(once);
  });

  it('H255: records a response although the event loop was blocked past the timeout, but not the lease', async () => {
    const UNBLOCK = join(folder, 'go-on');
    const timeoutMs = 8_000;
    const settings = { ...preloaded('preload-blocking'), UNBLOCK, WEBHOOKS_TIMEOUT: '8s' };
    const stalled = await stream.startWorker(settings);
    await stallAtFirstRequest(async () => {
      process.kill(stalled.pid, 'SIGUSR2');
      await eventually(() => accessSync(`${UNBLOCK}.blocked`), 'it is blocked');
    });

    const respondedAt = performance.now();
    await eventually(() => {
      expect(performance.now() - respondedAt).to.be.greaterThan(timeoutMs + 200);
    }, 'the timeout is over');
    writeFileSync(UNBLOCK, '');
    await eventually(async () => expect(await records()).to.deep.equal(once), 'it records');
    expect(await stalled.end()).to.equal(0);
    expect(await stream.close('event loop blocked past the timeout')).to.include({ duplicates: 0 });
  });
});
