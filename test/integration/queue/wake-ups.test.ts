import { Worker } from 'bullmq';
import { expect } from 'chai';
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { listenForWakeups, type Listeners } from '../../../src/queue/consumer.js';
import { createWakeupPublisher, type WakeupPublisher } from '../../../src/queue/producer.js';
import type { WakeupKind } from '../../../src/domain/transaction/wakeup.js';
import { eventually } from '../../support/eventually.js';
import { describeOnQueues, type TestQueue } from '../../support/queue-backends.js';

const listenerFile = fileURLToPath(new URL('../../support/wake-listener.js', import.meta.url));

describeOnQueues('wake-ups', (create) => {
  let queue: TestQueue;
  let wakeupPublisher: WakeupPublisher;
  let listeners: Listeners[] = [];

  /** How many wake-ups were jobs. */
  let jobs = 0;
  const lost: unknown[] = [];

  before(async () => {
    queue = await create();
  });
  after(async () => {
    await queue.drop();
  });

  beforeEach(async () => {
    wakeupPublisher = createWakeupPublisher({
      ...queue,
      onError: () => undefined,
      onLost: (_kind, error) => void lost.push(error),
    });
    await eventually(() => wakeupPublisher.depths(), 'the wake-up publisher is connected');
  });

  afterEach(async () => {
    await Promise.all([wakeupPublisher, ...listeners].map((resource) => resource.close()));
    listeners = [];
    jobs = 0;
    // The publisher has sent all it had, so no job reaches the next test.
    await queue.flush();
  });

  function receive(kinds: readonly WakeupKind[] = ['due', 'replay']): WakeupKind[] {
    const received: WakeupKind[] = [];
    const onWakeup = (kind: WakeupKind, scheduled: boolean) => {
      if (scheduled) jobs += 1;
      return Promise.resolve(received.push(kind) > 0);
    };
    listeners.push(listenForWakeups({ ...queue, kinds, onError: () => undefined, onWakeup }));
    return received;
  }

  /** Repeats the wake-up until signal and job arrive: the listener may still be connecting. */
  async function wakeUntilReceived(
    received: WakeupKind[],
    kind: WakeupKind = 'due',
    sender = wakeupPublisher,
  ): Promise<void> {
    const signals = received.length - jobs;
    const jobsBefore = jobs;
    await eventually(() => {
      sender.wake([{ kind }]);
      expect(jobs).to.be.greaterThan(jobsBefore);
      expect(received.length - jobs).to.be.greaterThan(signals);
    }, 'a signal and a job are heard');
  }

  async function waitUntilIdle(): Promise<void> {
    await eventually(async () => expect(await queue.jobs()).to.equal(0), 'the queue is empty');
  }

  it('a wake-up reaches only the listeners of its kind', async () => {
    const due = receive(['due']);
    const replay = receive(['replay']);
    await eventually(() => expect([...due, ...replay]).to.have.length(2), 'both are connected');
    await wakeUntilReceived(replay, 'replay');
    await waitUntilIdle();
    expect(due).to.deep.equal(['due']);
  });

  it('few wake-ups arrive, however many are sent at once, and nothing is left behind', async () => {
    const received = receive();
    await wakeUntilReceived(received);
    await waitUntilIdle();
    received.length = 0;
    jobs = 0;
    for (let index = 0; index < 1_000; index += 1) wakeupPublisher.wake([{ kind: 'due' }]);
    await eventually(() => expect(received).to.not.be.empty, 'one is heard');
    await waitUntilIdle();
    // Three signals at most, and the job of the next second.
    expect(received.length).to.be.at.most(4);
  });

  it('a wake-up arrives once, in the second that it is for', async () => {
    const received = receive(['expire']);
    const at = new Date(Date.now() + 1_200);
    for (let index = 0; index < 50; index += 1) wakeupPublisher.wake([{ kind: 'expire', at }]);
    await eventually(() => expect(received).to.have.length(2), 'connection and wake-up are heard');
    expect(Date.now()).to.be.at.least(at.getTime() - 5);
    await waitUntilIdle();
    expect(received).to.have.length(2);
  });

  it('leaves at most one job a second without a listener, and the next listener gets one', async () => {
    const firstSecond = Math.floor(Date.now() / 1_000);
    for (let sent = 0; sent < 300; sent += 1) {
      wakeupPublisher.wake([{ kind: 'due' }]);
      await wakeupPublisher.depths();
    }
    await eventually(async () => expect(await queue.jobs()).to.be.at.least(1), 'one is kept');
    const seconds = Math.floor(Date.now() / 1_000) - firstSecond + 1;
    expect(await queue.jobs()).to.be.at.most(seconds);
    const received = receive(['due']);
    await eventually(() => expect(received).to.not.be.empty, 'it looks at its start');
    await waitUntilIdle();
  });

  it('wake-ups continue after the queue was flushed, without a restart', async () => {
    const received = receive();
    await wakeUntilReceived(received);
    for (let round = 0; round < 3; round += 1) {
      wakeupPublisher.wake([{ kind: 'due' }, { kind: 'due', at: new Date(Date.now() + 60_000) }]);
      await queue.flush();
      await wakeUntilReceived(received);
    }
    await queue.flush();
  });

  it('wake-ups continue after every connection was cut', async () => {
    const received = receive();
    await wakeUntilReceived(received);
    for (let round = 0; round < 3; round += 1) {
      queue.proxy.cut();
      await wakeUntilReceived(received);
    }
  });

  it('drops and counts wake-ups while the queue is unreachable, and delivers them again when it is back', async () => {
    const received = receive();
    await wakeUntilReceived(received);
    await queue.proxy.refuse();
    lost.length = 0;
    for (let index = 0; index < 10_000; index += 1) {
      wakeupPublisher.wake([
        { kind: 'due' },
        { kind: 'due', at: new Date(Date.now() + index * 1_000) },
      ]);
    }
    await eventually(() => expect(lost).to.not.be.empty, 'the loss is counted');
    await queue.proxy.open();
    await wakeUntilReceived(received);
    await queue.flush();
  });

  it('wake-ups flow to and from processes that started while the queue was unreachable', async () => {
    await queue.proxy.refuse();
    const received = receive();
    const late = createWakeupPublisher({ ...queue, onError: () => undefined });
    late.wake([{ kind: 'due' }]);
    await queue.proxy.open();
    await wakeUntilReceived(received, 'due', late);
    await late.close();
    // While a listener is there: leftover jobs would disturb the next test.
    await waitUntilIdle();
  });

  it('a process closes in time while the queue is unreachable, and leaves nothing behind', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    await waitUntilIdle();

    const timersBefore = timers();
    const noticed = new Set<string>();
    let finish: () => void = () => undefined;
    const finished = new Promise<boolean>((resolve) => (finish = () => resolve(true)));
    const listeners = listenForWakeups({
      ...queue,
      kinds: ['due', 'replay'],
      onError: () => void noticed.add('listener'),
      onWakeup: () => {
        noticed.add('wake-up');
        return finished;
      },
    });

    const late = createWakeupPublisher({
      ...queue,
      onError: () => undefined,
      onLost: () => void noticed.add('wakeupPublisher'),
    });

    await eventually(() => {
      late.wake([{ kind: 'due' }]);
      expect(noticed).to.include('wake-up');
    }, 'both are connected');

    await queue.proxy.refuse();

    // The end of a wake-up must be reported to a queue that is unreachable.
    finish();

    await eventually(() => {
      late.wake([{ kind: 'due' }]);
      expect(noticed).to.include.all.keys('wakeupPublisher', 'listener');
    }, 'both have noticed');

    const began = performance.now();
    await Promise.all([late.close(), listeners.close()]);
    expect(performance.now() - began).to.be.lessThan(20_000);
    await queue.proxy.open();
    await eventually(() => expect(timers()).to.be.at.most(timersBefore), 'no timer is left');
  });

  it('wake-ups reach the other process when one is killed while it handles one', async () => {
    const start = (mode: string): ChildProcess =>
      fork(listenerFile, [queue.databaseUrl, queue.redisUrl ?? '-', mode]);
    const holder = start('hold');
    let held = 0;
    holder.on('message', () => (held += 1));

    await eventually(() => {
      wakeupPublisher.wake([{ kind: 'due' }]);
      expect(held).to.be.greaterThan(0);
    }, 'the first process holds a wake-up');

    const other = start('pass');
    let received = 0;
    other.on('message', () => (received += 1));

    await eventually(() => {
      wakeupPublisher.wake([{ kind: 'due' }]);
      expect(received).to.be.greaterThan(0);
    }, 'the second hears while the first is busy');

    holder.kill('SIGKILL');

    const before = received;
    await eventually(() => {
      wakeupPublisher.wake([{ kind: 'due' }]);
      expect(received).to.be.greaterThan(before);
    }, 'the second goes on hearing');

    other.kill('SIGKILL');
    await queue.flush();
  });

  it('finishes wake-ups and reports the fault when the queue breaks while listening ends', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- called with a receiver below
    const { close } = Worker.prototype;
    const internalErrors: string[] = [];
    let startedAt = false;
    let finish: () => void = () => undefined;

    // One for all wake-ups: a second one may come before the first has ended.
    const finished = new Promise<boolean>((resolve) => (finish = () => resolve(true)));
    const listener = listenForWakeups({
      ...queue,
      kinds: ['notify'],
      onError: ({ message }) => void internalErrors.push(message),
      onWakeup: (_kind, scheduled) => {
        // Only a job says that BullMQ's worker is ready.
        startedAt ||= scheduled;
        return finished;
      },
    });

    await eventually(() => {
      wakeupPublisher.wake([{ kind: 'notify' }]);
      expect(startedAt).to.equal(true);
    }, 'a job is heard');

    Worker.prototype.close = async function (this: Worker, ...given) {
      void close.apply(this, given).catch(() => undefined);
      await Promise.resolve();
      throw new Error('the queue broke');
    };

    try {
      const closed = listener.close();
      // An unhandled rejection would end the process by then.
      await eventually(
        () => expect(internalErrors).to.include('the queue broke'),
        'the fault is told',
      );

      finish();
      await closed;
    } finally {
      Worker.prototype.close = close;
    }

    await queue.flush();
  });
});
