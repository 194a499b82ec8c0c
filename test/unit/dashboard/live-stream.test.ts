import { expect } from 'chai';
import {
  Follower,
  FrameParser,
  type ReadStream,
  reconnectDelay,
  type StreamEvents,
  type StreamPlace,
} from '../../../dashboard/src/stream/live-stream.js';

const stream =
  ': heartbeat\nid: p1\nevent: delivery\ndata: {"id":"whd_1"}\n\n' +
  'event: cut\r\ndata: {"reason":\r\ndata: "slow_client"}\r\n\r\n: heartbeat\n\n';
const frames = [
  { id: 'p1', event: 'delivery', data: '{"id":"whd_1"}' },
  { id: 'p1', event: 'cut', data: '{"reason":\n"slow_client"}' },
];

describe('the live stream of the dashboard', () => {
  it('parses a stream alike wherever the network cuts it', () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const parser = new FrameParser();
      const read = [...parser.read(stream.slice(0, cut)), ...parser.read(stream.slice(cut))];
      expect(read, `cut at ${cut}`).to.deep.equal(frames);
    }
    const parser = new FrameParser();
    expect(stream.split(/(?<=.)/s).flatMap((piece) => parser.read(piece))).to.deep.equal(frames);
  });

  it('reconnects after 0.1 to 5 seconds, less a jitter of up to a half', () => {
    expect([0, 1, 2, 6, 40].map((failures) => reconnectDelay(failures, 0))).to.deep.equal([
      100, 200, 400, 5_000, 5_000,
    ]);
    expect(reconnectDelay(0, 1)).to.equal(50);
  });
});

const frame = (id: string, event = 'delivery') => ({ id, event, data: '{}' });
/** The leader was at `after`, and handled the frame `id`. */
const live = (after: string | undefined, id: string) =>
  ({ kind: 'live', after, position: id, frame: frame(id) }) as const;

/** A follower at a place, what it reported, and the catch-ups that it began. */
function follow(position?: string) {
  const place: StreamPlace = { position };
  const reported: string[] = [];
  const catchUps: {
    readonly from: string | undefined;
    readonly signal: AbortSignal;
    readonly open: () => void;
    /** The stream of the catch-up sends a frame. */
    readonly send: (id: string, event?: string) => void;
  }[] = [];

  const read: ReadStream = (own, events, signal) => {
    catchUps.push({
      from: own.position,
      signal,
      open: () => events.onOpen(false),
      send(id, event) {
        own.position = id;
        events.onFrame(frame(id, event));
      },
    });
    return Promise.resolve();
  };

  const events: StreamEvents = {
    onFrame: ({ id = '' }) => void reported.push(id),
    onOpen: (gap) => void reported.push(gap ? 'open after a gap' : 'open'),
    onLost: (detail) => void reported.push(`lost: ${detail}`),
  };
  return { place, reported, catchUps, follower: new Follower(place, events, read) };
}

describe('a tab that follows the stream of another tab', () => {
  it('starts where the leader is, and takes each frame after its own position', () => {
    const { follower, place, reported, catchUps } = follow();
    follower.take({ kind: 'live', after: 'p1', position: 'p1' });
    follower.take(live('p1', 'p2'));
    follower.take(live('p2', 'p3'));
    expect(reported).to.deep.equal(['open', 'p2', 'p3']);
    expect([place.position, catchUps.length]).to.deep.equal(['p3', 0]);
  });

  it('resumes where it left without catching up', () => {
    const { follower, reported, catchUps } = follow('p3');
    follower.take({ kind: 'live', after: 'p3', position: 'p3' });
    expect([reported, catchUps.length]).to.deep.equal([['open'], 0]);
  });

  it('reads what it lacks from its own position, until the service confirms that it has caught up', () => {
    const { follower, place, reported, catchUps } = follow('p1');
    follower.take(live('p4', 'p5'));

    const [catchUp] = catchUps;
    if (!catchUp) expect.fail('it began no catch-up');
    const { from, signal, open, send } = catchUp;
    open();
    send('q2');
    follower.take(live('p5', 'p6'));
    expect([from, place.position], 'a leader goes on behind q2').to.deep.equal(['p1', 'q2']);
    send('q3', 'position');
    send('q4');
    expect([signal.aborted, place.position, catchUps.length]).to.deep.equal([true, 'p6', 1]);
    follower.take(live('p6', 'p7'));
    expect(reported).to.deep.equal(['p5', 'open', 'q2', 'p6', 'q3', 'p7']);
    expect(catchUps.length).to.equal(1);
  });

  it('starts catching up again when the leader jumps, and stops catching up when it is stopped', () => {
    const { follower, place, catchUps } = follow('p1');
    follower.take(live('p4', 'p5'));
    catchUps[0]?.send('q2');
    follower.take(live('p7', 'p8'));
    expect(catchUps.map(({ from, signal }) => [from, signal.aborted])).to.deep.equal([
      ['p1', true],
      ['q2', false],
    ]);
    follower.stop();
    catchUps[1]?.send('q3');
    expect([catchUps[1]?.signal.aborted, place.position]).to.deep.equal([true, 'q2']);
  });

  it('reports that the leader lost its connection, and a gap after a reset', () => {
    const { follower, reported } = follow('p1');
    follower.take(live('p1', 'p2'));
    follower.take({ kind: 'lost', detail: 'It restarts.' });
    follower.take(live('p2', 'p3'));
    follower.take({ ...live('p3', 'p4'), position: undefined });
    follower.take(live(undefined, 'r1'));

    expect(reported).to.deep.equal([
      'open',
      'p2',
      'lost: It restarts.',
      'open',
      'p3',
      'p4',
      'open after a gap',
      'r1',
    ]);
  });
});
