import { expect } from 'chai';
import {
  firstTimedSnapshot,
  nextTimedSnapshot,
  type ServerState,
  unseenSince,
  writtenSince,
} from '../../../../src/domain/stream/snapshot.js';

const state = (
  at: number,
  [xmin, xmax, nextXid]: readonly [number, number, number],
  running: readonly number[] = [],
): ServerState => ({
  database: 'one',
  snapshot: { xmin: BigInt(xmin), xmax: BigInt(xmax), running: running.map(BigInt) },
  nextXid: BigInt(nextXid),
  at,
});

describe('the time before which a difference of snapshots holds no row', () => {
  const idle = firstTimedSnapshot(state(10_000, [50, 50, 50]), 0, 1_000);

  it('takes the time of the earlier snapshot when nothing ran then', () => {
    const later = nextTimedSnapshot(idle, state(10_100, [53, 53, 53]), 100);
    expect(writtenSince(idle, later)).to.equal(10_000);
  });

  it('takes the start of a transaction that ended between the two', () => {
    const during = nextTimedSnapshot(idle, state(15_000, [50, 52, 52], [50]), 5_000);
    const longer = nextTimedSnapshot(during, state(60_000, [50, 80, 80], [50]), 50_000);
    const ended = nextTimedSnapshot(longer, state(60_100, [81, 81, 81]), 50_100);
    expect(writtenSince(longer, ended)).to.equal(10_000);
  });

  it('does not wait for a transaction that is still running', () => {
    const during = nextTimedSnapshot(idle, state(15_000, [50, 52, 52], [50]), 5_000);
    const longer = nextTimedSnapshot(during, state(15_100, [50, 60, 60], [50]), 5_100);
    expect(writtenSince(during, longer)).to.equal(15_000);
    expect(unseenSince(longer)).to.equal(10_000);
  });

  it('assumes that ids beyond the end of a snapshot may be running', () => {
    // 50 is assigned and nothing has ended since, so the snapshot does not name it.
    const during = nextTimedSnapshot(idle, state(15_000, [50, 50, 51]), 5_000);
    const ended = nextTimedSnapshot(during, state(15_100, [51, 51, 51]), 5_100);
    expect(writtenSince(during, ended)).to.equal(10_000);
  });

  it('takes the given time for a transaction that was running at the first snapshot', () => {
    const first = firstTimedSnapshot(state(10_000, [48, 50, 50], [48]), 0, 1_000);
    const ended = nextTimedSnapshot(first, state(10_100, [51, 51, 51]), 100);
    expect(writtenSince(first, ended)).to.equal(1_000);
  });

  it('follows a clock that steps back', () => {
    const later = nextTimedSnapshot(idle, state(4_100, [53, 53, 53]), 100);
    expect(writtenSince(idle, later)).to.equal(4_000);
  });

  it('follows a clock that was set back while a transaction was open', () => {
    // 50 is open at 15,000; the clock then shows 5,100, and 50 writes its rows at 5,150.
    const during = nextTimedSnapshot(idle, state(15_000, [50, 51, 51], [50]), 5_000);
    const setBack = nextTimedSnapshot(during, state(5_100, [50, 51, 51], [50]), 5_100);
    expect(unseenSince(setBack)).to.be.at.most(5_000);
    const ended = nextTimedSnapshot(setBack, state(5_200, [51, 51, 51]), 5_200);
    expect(writtenSince(setBack, ended)).to.equal(5_000);
  });

  it('does not depend on how long answers take', () => {
    let moment = nextTimedSnapshot(idle, state(10_100, [50, 51, 51], [50]), 100);
    const before = unseenSince(moment);
    for (const late of [0, 40, 5, 60, 0]) {
      const at = moment.at + 100;
      const seenAt = at - 10_000 + late;
      moment = nextTimedSnapshot(moment, state(at, [50, 51, 51], [50]), seenAt);
    }
    expect(unseenSince(moment)).to.be.within(before - 60, before);
  });

  it('still knows the time while a transaction runs for long, in bounded memory', () => {
    let moment = nextTimedSnapshot(idle, state(10_100, [50, 52, 52], [50]), 100);
    for (let tick = 2; tick < 5_000; tick += 1) {
      const xid = 50 + 2 * tick;
      moment = nextTimedSnapshot(
        moment,
        state(10_000 + tick * 100, [50, xid, xid], [50]),
        tick * 100,
      );
    }
    expect(moment.assigned.length).to.be.at.most(1_000);
    const ended = nextTimedSnapshot(moment, state(600_000, [20_000, 20_000, 20_000]), 590_000);
    expect(writtenSince(moment, ended)).to.equal(10_000);
  });
});
