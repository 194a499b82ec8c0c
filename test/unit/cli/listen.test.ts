import { expect } from 'chai';
import fc from 'fast-check';
import { deliveryHeaders } from '../../../cli/listen/forward.js';
import { type Handled, StreamListener } from '../../../cli/listen/listener.js';
import type { ListenerState } from '../../../cli/listen/position.js';
import { backOffMs, beforeFirst, FrameReader } from '../../../cli/stream.js';
import { buildRequest, startAttempt } from '../../../src/domain/delivery/attempt.js';
import type { Claim } from '../../../src/domain/delivery/claim.js';
import { sign } from '../../../src/domain/delivery/signature.js';

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

  const listener = new StreamListener({
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
  it('H178: a listener marks only the events that were in flight when the last process ended', async () => {
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

  it('H178: a listener marks events that --since or the service itself sends again', async () => {
    const seenUntil = '2026-01-01T12:00:01.000Z';
    const saved = { position: 'p', at: 0, inFlight: [], seenUntil };
    const { receive, state } = startListener(saved, { rewound: true });
    await receive('event', eventOf('evt_1', '2026-01-01T12:00:01.000Z'));
    await receive('event', eventOf('evt_2', '2026-01-01T12:00:02.000Z'));
    await receive('event', eventOf('evt_2', '2026-01-01T12:00:02.000Z'));
    expect(state.handled.map(({ redelivered }) => redelivered)).to.deep.equal([true, false, true]);
  });

  it('H184: a listener handles as many events at once as it may, and never moves its position past the oldest', async () => {
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

  it('H184: a listener keeps an event in flight until its position is known', async () => {
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

  it('H184: a listener starts a limited number of events while one hangs', async () => {
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

  it('H184: a listener throws the error of handling an event, and does not move its position past it', async () => {
    const handle = () => Promise.reject(new Error('no shell'));
    const { listener, receive, state } = startListener(undefined, { parallel: 2, handle });
    await receive('event', eventOf('evt_1'));
    await listener.end().then(
      () => expect.fail('must throw'),
      (error: unknown) => expect((error as Error).message).to.equal('no shell'),
    );
    expect(state.file).to.deep.include({ position: undefined, inFlight: ['evt_1'] });
  });

  it('shows a replayed event again, once', async () => {
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

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';

describe('the stream as the command line reads it', () => {
  it('reads the same frames however the bytes are cut', () => {
    const text =
      ': heartbeat\n\nid: 1-a\nevent: event\ndata: {"a":1}\n\r\nid:2\rdata: x\rdata: y\r\rdata:z\r\n\r\n';
    const whole = [
      { id: '1-a', event: 'event', data: '{"a":1}' },
      { id: '2', event: 'message', data: 'x\ny' },
      { id: undefined, event: 'message', data: 'z' },
    ];

    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), text.length];
        const reader = new FrameReader();
        const frames = places.flatMap((place, index) =>
          reader.read(text.slice(place, places[index + 1] ?? text.length)),
        );
        expect(frames).to.deep.equal(whole);
      }),
    );
  });

  it('refuses a frame without an end', () => {
    const reader = new FrameReader();
    const piece = `data: ${'x'.repeat(1_048_576)}\n`;
    expect(() => Array.from({ length: 5 }, () => reader.read(piece))).to.throw(/too large/);
  });

  it('waits longer after each failure, at most 5 s', () => {
    const waits = Array.from({ length: 9 }, (_, failures) => backOffMs(failures + 1, 0));
    expect(waits).to.deep.equal([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
    expect(backOffMs(7, 0.999)).to.be.within(2_500, 2_505);
  });

  it('H182: listen starts with the event that --since names, and leaves out none after it', () => {
    const at = (second: number) => `2026-01-01T12:00:0${second}.000Z`;
    const isEarlier = beforeFirst('evt_b', new Date(at(1)));
    const frames = [
      eventOf('evt_a', at(0)),
      eventOf('evt_c', at(2)),
      eventOf('evt_b', at(1)),
      eventOf('evt_slow', at(0)),
    ];
    const left = frames.filter((event) => !isEarlier(event)).map(({ id }) => id);
    expect(left).to.deep.equal(['evt_c', 'evt_b', 'evt_slow']);
  });

  it('H81: listen spells headers as a worker does', () => {
    const event = { id: 'evt_1', type: 'offer.sent', body: Buffer.from('{}') };
    const claim = { event, url: '', attempt: 1 } as unknown as Claim;
    const attempt = startAttempt({ ...claim, claimedAt: new Date(0) }, 0);
    const sender = { contentType: 'application/json', userAgent: 'x' };
    const sent = buildRequest(attempt, { signing: [secret] }, sender).headers;
    const forwarded = deliveryHeaders(event, false, secret, event.body, new Date(0));
    expect(Object.keys(forwarded)).to.have.members(Object.keys(sent));
  });

  it('H178: listen forwards an event with the headers of a delivery and both signatures', () => {
    const at = new Date('2026-11-20T00:00:00Z');
    const body = Buffer.from('{"k":"é"}');
    const event = { id: 'evt_1', type: 'offer.sent' };
    const headers = deliveryHeaders(event, true, secret, body, at);
    const { service, standard, timestamp } = sign([secret], 'evt_1', body, at);
    expect(headers).to.deep.include({
      'X-Service-Signature': service,
      'X-Service-Timestamp': timestamp,
      'X-Service-Delivery-Id': 'whd_listen_1',
      'webhook-signature': standard,
      'Signalpost-Redelivered': 'true',
    });

    expect(deliveryHeaders(event, false, secret, body, at)).not.to.have.property(
      'Signalpost-Redelivered',
    );
  });
});
