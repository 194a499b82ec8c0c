import { expect } from 'chai';
import { FrameParser, reconnectDelay } from '../../../dashboard/src/stream/live-stream.js';

const stream =
  ': heartbeat\nid: p1\nevent: delivery\ndata: {"id":"whd_1"}\n\n' +
  'event: cut\r\ndata: {"reason":\r\ndata: "slow_client"}\r\n\r\n: heartbeat\n\n';
const frames = [
  { id: 'p1', event: 'delivery', data: '{"id":"whd_1"}' },
  { id: 'p1', event: 'cut', data: '{"reason":\n"slow_client"}' },
];

describe('the live stream of the dashboard', () => {
  it('is read however the network cuts it', () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const parser = new FrameParser();
      const read = [...parser.read(stream.slice(0, cut)), ...parser.read(stream.slice(cut))];
      expect(read, `cut at ${cut}`).to.deep.equal(frames);
    }
    const parser = new FrameParser();
    expect(stream.split(/(?<=.)/s).flatMap((each) => parser.read(each))).to.deep.equal(frames);
  });

  it('is connected again after 0.1 to 5 seconds, less up to a half', () => {
    expect([0, 1, 2, 6, 40].map((failures) => reconnectDelay(failures, 0))).to.deep.equal([
      100, 200, 400, 5_000, 5_000,
    ]);
    expect(reconnectDelay(0, 1)).to.equal(50);
  });
});
