import { expect } from 'chai';
import { type Handled, Listener } from '../../../cli/listen/listener.js';
import type { ListenerState } from '../../../cli/listen/position.js';

const eventOf = (id: string, time = '2026-01-01T12:00:00.000Z') => ({
  id,
  type: 'offer.sent',
  time,
  test: false,
  body: '{}',
});

/** A listener whose file lives in memory. */
function startListener(
  saved?: ListenerState,
  { rewound = false, parallel = 1, handle = () => Promise.resolve() } = {},
) {
  const state: { file?: ListenerState; notes: string[]; handled: Handled[] } = {
    notes: [],
    handled: [],
  };

  const listener = new Listener({
    saved,
    rewound,
    parallel,
    isEarlier: () => false,
    file: {
      read: () => state.file,
      write: (written) => (state.file = { ...written, at: 0 }),
    },
    handle: (handled) => {
      state.handled.push(handled);
      return handle();
    },
    note: (text) => state.notes.push(text),
  });

  const receive = (event: string, data: object) =>
    listener.onFrame({ id: undefined, event, data: JSON.stringify(data) });
  return { listener, state, receive };
}

describe('a listener', () => {
  it('H178: marks what was in flight when the last process ended, and only that', async () => {
    const first = startListener();
    first.listener.onPosition('p1');
    await first.receive('event', eventOf('evt_1'));

    // Killed before it had the position of evt_1.
    const saved = { ...first.state.file, at: 0 } as ListenerState;
    expect(saved).to.deep.include({ position: 'p1', inFlight: ['evt_1'] });

    const second = startListener(saved);
    await second.receive('event', eventOf('evt_1'));
    await second.receive('event', eventOf('evt_2'));
    second.listener.onPosition('p3');

    const marks = second.state.handled.map(({ redelivered }) => redelivered);
    expect(marks).to.deep.equal([true, false]);
    expect(second.state.file).to.deep.include({ position: 'p3', inFlight: [] });
  });

  it('H178: marks what a begin in the past or the service itself sends again', async () => {
    const seenUntil = '2026-01-01T12:00:01.000Z';
    const saved = { position: 'p', at: 0, inFlight: [], seenUntil };
    const { receive, state } = startListener(saved, { rewound: true });
    await receive('event', eventOf('evt_1', '2026-01-01T12:00:01.000Z'));
    await receive('event', eventOf('evt_2', '2026-01-01T12:00:02.000Z'));
    await receive('event', eventOf('evt_2', '2026-01-01T12:00:02.000Z'));
    expect(state.handled.map(({ redelivered }) => redelivered)).to.deep.equal([true, false, true]);
  });

  it('H184: handles as many at once as it may, and keeps the position behind the oldest', async () => {
    const release: (() => void)[] = [];
    const handle = () => new Promise<void>((resolve) => release.push(resolve));
    const { listener, receive, state } = startListener(undefined, { parallel: 3, handle });
    listener.onPosition('p0');

    for (const number of [1, 2]) {
      await receive('event', eventOf(`evt_${number}`));
      listener.onPosition(`p${number}`);
    }

    let taken = false;
    const third = receive('event', eventOf('evt_3')).then(() => (taken = true));

    expect(state.handled).to.have.lengthOf(3);

    const all = ['evt_1', 'evt_2', 'evt_3'];
    expect(state.file).to.deep.include({ position: 'p0', inFlight: all });
    expect(taken, 'a fourth must wait').to.equal(false);
    release[1]?.();
    await third;
    listener.onPosition('p3');
    expect(state.file).to.deep.include({ position: 'p0', inFlight: all });
    for (const ended of [0, 2]) release[ended]?.();
    await listener.end();
    expect(state.file).to.deep.include({ position: 'p3', inFlight: [] });
  });

  it('H184: takes an event for begun until its position is known', async () => {
    let release: (() => void) | undefined;
    const handle = () =>
      release ? Promise.resolve() : new Promise<void>((resolve) => (release = resolve));
    const { listener, receive, state } = startListener(undefined, { parallel: 2, handle });
    await receive('event', eventOf('evt_1'));
    listener.onPosition('p1');
    await receive('event', eventOf('evt_2'));
    release?.();
    await listener.end();
    expect(state.file).to.deep.include({ position: 'p1', inFlight: ['evt_2'] });
  });

  it('H184: begins only so many beside one that hangs', async () => {
    const release: (() => void)[] = [];
    const handle = () =>
      release.length === 0
        ? new Promise<void>((resolve) => release.push(resolve))
        : Promise.resolve();

    const { listener, receive, state } = startListener(undefined, { parallel: 2, handle });
    const events = Array.from({ length: 21 }, (_, place) => `evt_${place}`);
    const received = (async () => {
      for (const [place, id] of events.entries()) {
        await receive('event', eventOf(id));
        listener.onPosition(`p${place}`);
      }
    })();

    await new Promise(setImmediate);
    expect(state.handled).to.have.lengthOf(20);
    expect(state.file?.position).to.equal(undefined);
    release[0]?.();
    await received;
    expect(state.file).to.deep.include({ position: 'p20', inFlight: [] });
  });

  it('H184: says what handling threw, and leaves that event behind the position', async () => {
    const handle = () => Promise.reject(new Error('no shell'));
    const { listener, receive, state } = startListener(undefined, { parallel: 2, handle });
    await receive('event', eventOf('evt_1'));
    await listener.end().then(
      () => expect.fail('must throw'),
      (error: unknown) => expect((error as Error).message).to.equal('no shell'),
    );
    expect(state.file).to.deep.include({ position: undefined, inFlight: ['evt_1'] });
  });

  it('shows an event again that is replayed, once', async () => {
    const { receive, state } = startListener();
    await receive('event', eventOf('evt_1'));
    const replay = { id: 'whd_2', event_id: 'evt_1', attempt: 1, replayed_from: 'whd_1' };
    await receive('delivery', { ...replay, replayed_from: undefined });
    await receive('delivery', replay);
    await receive('delivery', { ...replay, attempt: 2 });
    await receive('delivery', { ...replay, event_id: 'evt_0' });
    expect(state.handled.map(({ replay: by }) => by)).to.deep.equal([undefined, 'whd_2']);
    expect(state.notes).to.deep.equal([
      'whd_2 replays evt_0, an event from before this listen: use --since to get it.',
    ]);
  });
});
