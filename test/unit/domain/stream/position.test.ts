import { expect } from 'chai';
import {
  decodePosition,
  encodePosition,
  type StreamPosition,
} from '../../../../src/domain/stream/position.js';
import {
  formatSnapshot,
  parseSnapshot,
  seesAllOf,
  type Snapshot,
} from '../../../../src/domain/stream/snapshot.js';

const since = Date.UTC(2026, 10, 23);
const running = (count: number): Snapshot => {
  const xids = Array.from({ length: count }, (_each, index) => 5_000_000_000n + BigInt(index * 3));
  return { xmin: xids[0] ?? 5_000_000_000n, xmax: 5_000_000_400n, running: xids };
};

describe('the position of a stream', () => {
  const base = { snapshot: running(8), since };
  const within = {
    target: { snapshot: running(8), since: since + 100 },
    after: '0Vj8cZkq0123456789abcdef event',
  };

  it('reads back the position that it writes', () => {
    for (const position of [
      { database: 'AbCdEfGh_-12', base },
      { database: 'AbCdEfGh_-12', base: { snapshot: running(0), since }, within },
    ] satisfies StreamPosition[]) {
      expect(decodePosition(encodePosition(position))).to.deep.equal(position);
    }
  });

  it('writes a short position', () => {
    const [idle, busy, full] = [running(0), running(8), running(100)].map((snapshot) =>
      encodePosition({
        database: 'AbCdEfGh_-12',
        base: { snapshot, since },
        within: { ...within, target: { snapshot, since } },
      }),
    );
    expect([idle?.length, busy?.length, full?.length]).to.deep.equal([95, 116, 362]);
  });

  it('rejects a text that is not a position', () => {
    const text = encodePosition({ database: 'AbCdEfGh_-12', base, within });
    const cut = Array.from({ length: 40 }, (_each, length) => text.slice(0, length));
    for (const other of ['', '*', 'A', 'x'.repeat(5_000), `z${text.slice(1)}`, ...cut]) {
      expect(decodePosition(other), other).to.equal(undefined);
    }
  });

  it('rejects a position that PostgreSQL would refuse', () => {
    const { snapshot } = base;
    const ended = { ...snapshot, running: [...snapshot.running, snapshot.xmax] };
    for (const forged of [
      { base: { snapshot: ended, since } },
      { base, within: { ...within, after: '0Vj8cZkq\0 event' } },
      { base, within: { ...within, after: '' } },
    ]) {
      const text = encodePosition({ database: 'AbCdEfGh_-12', ...forged });
      expect(decodePosition(text), text).to.equal(undefined);
    }
  });
});

describe('a snapshot', () => {
  it('reads and writes a snapshot as PostgreSQL does', () => {
    for (const text of ['10:20:10,14', '10:10:']) {
      expect(formatSnapshot(parseSnapshot(text))).to.equal(text);
    }
  });

  it('a snapshot sees all of an earlier one, and not the other way round', () => {
    const [earlier, later] = ['10:20:10,14', '14:22:14,21'].map(parseSnapshot) as [
      Snapshot,
      Snapshot,
    ];
    expect(seesAllOf(later, earlier)).to.equal(true);
    expect(seesAllOf(earlier, later)).to.equal(false);
    expect(seesAllOf(parseSnapshot('12:30:12'), earlier)).to.equal(false);
  });
});
