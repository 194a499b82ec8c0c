import { expect } from 'chai';
import fc from 'fast-check';
import { deliveryHeaders } from '../../../cli/listen/forward.js';
import { type Handled, Listener } from '../../../cli/listen/listener.js';
import type { ListenerState } from '../../../cli/listen/position-file.js';
import { backOffMs } from '../../../cli/stream/back-off.js';
import { FrameReader } from '../../../cli/stream/frames.js';
import { beforeFirst } from '../../../cli/stream/since.js';
import { sign } from '../../../src/domain/delivery/rules/signature.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const eventOf = (id: string, time = '2026-01-01T12:00:00.000Z') => ({
  id,
  type: 'offer.sent',
  time,
  test: false,
  body: '{}',
});

/** A listener whose file lives in memory. */
function startListener(saved?: ListenerState, rewound = false) {
  const state: { file?: ListenerState; said: string[]; handled: Handled[] } = {
    said: [],
    handled: [],
  };
  const listener = new Listener({
    saved,
    rewound,
    isEarlier: () => false,
    file: {
      read: () => state.file,
      write: (written) => (state.file = { ...written, at: 0 }),
    },
    handle: (handled) => {
      state.handled.push(handled);
      return Promise.resolve();
    },
    say: (text) => state.said.push(text),
  });
  const receive = (event: string, data: object) =>
    listener.onFrame({ id: undefined, event, data: JSON.stringify(data) });
  return { listener, state, receive };
}

describe('the stream as the command line reads it', () => {
  it('reads frames however the bytes are cut', () => {
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

  it('waits longer after each failure, 5 s at most', () => {
    const waits = Array.from({ length: 9 }, (_, failures) => backOffMs(failures + 1, 0));
    expect(waits).to.deep.equal([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
    expect(backOffMs(7, 0.999)).to.be.within(2_500, 2_505);
  });

  it('H182: begins with the event that --since names, and leaves out none behind it', () => {
    const at = (second: number) => `2026-01-01T12:00:0${second}.000Z`;
    const isEarlier = beforeFirst('evt_b', new Date(at(1)));
    const frames = [
      ...[eventOf('evt_a', at(0)), eventOf('evt_c', at(2)), eventOf('evt_b', at(1))],
      eventOf('evt_slow', at(0)),
    ];
    const left = frames.filter((event) => !isEarlier(event)).map(({ id }) => id);
    expect(left).to.deep.equal(['evt_c', 'evt_b', 'evt_slow']);
  });

  it('H178: forwards with the headers of a delivery, and both signatures', () => {
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

describe('a listener', () => {
  it('H178: marks what was in flight when the last process ended, and only that', async () => {
    const first = startListener();
    first.listener.onPosition('p1');
    await first.receive('event', eventOf('evt_1'));
    // Killed before it had the position of evt_1.
    const saved = { ...first.state.file, at: 0 } as ListenerState;
    expect(saved).to.deep.include({ position: 'p1', inFlight: 'evt_1' });
    const second = startListener(saved);
    await second.receive('event', eventOf('evt_1'));
    await second.receive('event', eventOf('evt_2'));
    second.listener.onPosition('p3');
    const marks = second.state.handled.map(({ redelivered }) => redelivered);
    expect(marks).to.deep.equal([true, false]);
    expect(second.state.file).to.deep.include({ position: 'p3', inFlight: undefined });
  });

  it('H178: marks what a begin in the past or the service itself sends again', async () => {
    const seenUntil = '2026-01-01T12:00:01.000Z';
    const saved = { position: 'p', at: 0, inFlight: undefined, seenUntil };
    const { receive, state } = startListener(saved, true);
    await receive('event', eventOf('evt_1', '2026-01-01T12:00:01.000Z'));
    await receive('event', eventOf('evt_2', '2026-01-01T12:00:02.000Z'));
    await receive('event', eventOf('evt_2', '2026-01-01T12:00:02.000Z'));
    expect(state.handled.map(({ redelivered }) => redelivered)).to.deep.equal([true, false, true]);
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
    expect(state.said).to.deep.equal([
      'whd_2 replays evt_0, which came before this listen: see --since.',
    ]);
  });
});
