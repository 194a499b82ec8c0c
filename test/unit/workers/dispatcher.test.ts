import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { EndedAttempt } from '../../../src/domain/delivery/attempt.js';
import type { Claim, Room } from '../../../src/domain/delivery/claim.js';
import { type Clock, processClock } from '../../../workers/clock.js';
import { Dispatcher, type DispatcherOptions } from '../../../workers/dispatcher.js';
import { Limits } from '../../../workers/limits.js';
import { endedOf, ReadyChains } from '../../support/claims.js';
import { eventually } from '../../support/eventually.js';

/** Attempts that end when the test says so. */
class Wire {
  readonly open = new Map<string, { claim: Claim; end: () => void; fail: (e: Error) => void }>();

  attempt = (claim: Claim, _elapsedMs: number, signal: AbortSignal): Promise<EndedAttempt> =>
    new Promise((resolve, reject) => {
      const leave = () => this.open.delete(claim.chainId);
      this.open.set(claim.chainId, {
        claim,
        end: () => {
          leave();
          resolve(endedOf(claim));
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      });
      signal.addEventListener('abort', () => {
        leave();
        reject(new Error('broken off'));
      });
    });

  to(endpointId: string): number {
    return [...this.open.values()].filter(({ claim }) => claim.endpointId === endpointId).length;
  }

  endAll(endpointId?: string): void {
    for (const { claim, end } of [...this.open.values()]) {
      if (endpointId === undefined || claim.endpointId === endpointId) end();
    }
  }
}

describe('dispatcher', () => {
  let chains: ReadyChains;
  let wire: Wire;
  let ended: EndedAttempt[];
  let faults: unknown[];
  let limits: Limits;
  let dispatchers: Dispatcher[] = [];

  beforeEach(() => {
    chains = new ReadyChains();
    wire = new Wire();
    ended = [];
    faults = [];
    limits = new Limits(10, 4);
  });

  afterEach(async () => {
    await Promise.all(dispatchers.map((each) => each.stop(0)));
    dispatchers = [];
  });

  function dispatch(changes: Partial<DispatcherOptions> = {}): Dispatcher {
    const dispatcher = new Dispatcher({
      limits,
      claim: (room) => Promise.resolve(chains.claim(room)),
      latestClaimMs: 5_000,
      latestStartMs: 5_000,
      attempt: wire.attempt,
      onEnded: (each) => void ended.push(each),
      unsettled: () => 0,
      release: (claims) => {
        chains.release(claims);
        return Promise.resolve();
      },
      onFault: (error) => void faults.push(error),
      ...changes,
    });
    dispatchers.push(dispatcher);
    return dispatcher;
  }

  it('claims no more than it has slots, in all and per endpoint', async () => {
    chains.add('one', 50);
    await dispatch().look();
    expect(wire.to('one')).to.equal(4);
    expect(chains.left).to.equal(46);
  });

  it('gives back what came back so late that its lease has run meanwhile', async () => {
    chains.add('one', 3);
    let now = 0;
    const clock: Clock = { ...processClock, now: () => now };
    let stalls = true;
    const claim = (room: Room) => {
      // The process stands still while the answer is under way.
      if (stalls) now += 5_001;
      stalls = false;
      return Promise.resolve(chains.claim(room));
    };
    const dispatcher = dispatch({ claim, clock });
    await dispatcher.look();
    expect(wire.open.size).to.equal(0);
    expect(chains.left).to.equal(3);
    await dispatcher.look();
    expect(wire.open.size).to.equal(3);
  });

  it('gives back what has waited for too long, though no slot became free', async () => {
    let now = 0;
    let passes: () => void = () => undefined;
    const clock: Clock = {
      ...processClock,
      now: () => now,
      after: (ms, then) => {
        if (ms < 1_000) return processClock.after(ms, then);
        passes = () => {
          now += ms;
          then();
        };
        return () => undefined;
      },
    };
    chains.add('one', 6);
    const claim = () =>
      Promise.resolve(chains.claim({ slots: 6, perEndpoint: 6, inFlight: new Map() }));
    limits = new Limits(4, 6);
    void dispatch({ claim, clock }).look();
    await eventually(() => expect(limits.total).to.equal(6), 'two wait for a slot');
    expect(wire.open.size).to.equal(4);
    passes();
    await eventually(() => expect(chains.left).to.equal(2), 'they are given back');
    expect(limits.total).to.equal(4);
  });

  it('sends to others while an endpoint hangs with a long backlog', async () => {
    const dispatcher = dispatch();
    chains.add('hanging', 1_000);
    await dispatcher.look();
    chains.add('healthy', 16);
    void dispatcher.look();
    await eventually(() => {
      wire.endAll('healthy');
      expect(ended).to.have.length(16);
    }, 'the healthy endpoint got everything');
    expect(wire.to('hanging')).to.equal(4);
  });

  it('claims 200 and then 400 at once at most, and goes on until its slots are full', async () => {
    limits = new Limits(900, 900);
    chains.add('one', 1_000);
    void dispatch().look();
    await eventually(() => expect(wire.open.size).to.equal(900), 'the slots are full');
    expect(chains.asked).to.deep.equal([200, 400, 300]);
  });

  it('goes on by itself until nothing is left, whatever the caps', async () => {
    const dispatcher = dispatch();
    for (const endpoint of ['one', 'two', 'three', 'four']) chains.add(endpoint, 10);
    void dispatcher.look();
    await eventually(() => {
      wire.endAll();
      expect(ended).to.have.length(40);
    }, 'everything was sent');
    expect(limits.total).to.equal(0);
    expect(new Set(ended.map(({ claim }) => claim.chainId)).size).to.equal(40);
  });

  it('goes on with a backlog of one endpoint whose attempts end while the next claim is under way', async () => {
    limits = new Limits(100, 20, { first: 2 });
    chains.add('one', 200);
    const claim = async (room: Room) => {
      const claims = chains.claim(room);
      wire.endAll();
      await turn();
      return claims;
    };
    void dispatch({ claim }).look();
    await eventually(() => {
      for (const { end } of [...wire.open.values()].slice(0, 1)) end();
      expect(ended).to.have.length(200);
    }, 'everything was sent');
  });

  it('starts what it claimed ahead only when it has a slot', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) chains.add(endpoint, 4);
    const ahead = (room: Room) => Promise.resolve(chains.claim({ ...room, slots: room.slots + 3 }));
    const looking = dispatch({ claim: ahead }).look();
    await eventually(() => expect(wire.open).to.have.length(10), 'the slots are full');
    expect(limits.total).to.equal(13);
    for (let left = 16; left > 0; left -= 1) {
      await eventually(() => expect(wire.open.size).to.be.greaterThan(0), 'another one is sent');
      expect(wire.open.size).to.be.at.most(10);
      [...wire.open.values()][0]?.end();
    }
    await looking;
    expect(ended).to.have.length(16);
    expect(limits.total).to.equal(0);
  });

  it('gives back what it claimed ahead and has not started when it stops', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) chains.add(endpoint, 4);
    const ahead = (room: Room) => Promise.resolve(chains.claim({ ...room, slots: room.slots + 3 }));
    const dispatcher = dispatch({ claim: ahead });
    void dispatcher.look();
    await eventually(() => expect(limits.total).to.equal(13), 'more is claimed than has a slot');
    const stopped = dispatcher.stop(60_000);
    await eventually(() => expect(chains.left).to.equal(6), 'three are given back');
    expect(limits.total).to.equal(10);
    wire.endAll();
    await stopped;
    expect(ended).to.have.length(10);
  });

  it('starts nothing more from the moment that it stops', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) chains.add(endpoint, 4);
    const ahead = (room: Room) => Promise.resolve(chains.claim({ ...room, slots: room.slots + 3 }));
    const dispatcher = dispatch({ claim: ahead });
    void dispatcher.look();
    await eventually(() => expect(limits.total).to.equal(13), 'more is claimed than has a slot');
    const stopped = dispatcher.stop(60_000);
    wire.endAll();
    await turn();
    wire.endAll();
    await stopped;
    expect(ended).to.have.length(10);
    expect(chains.left).to.equal(6);
  });

  it('claims nothing that waits for a slot where it is told so, however fast attempts end', async () => {
    limits = new Limits(1, 1);
    let now = 0;
    const clock: Clock = {
      now: () => now,
      after: (_ms, work) => {
        const immediate = setImmediate(work);
        return () => clearImmediate(immediate);
      },
    };
    const held: number[] = [];
    const attempt = async (claim: Claim) => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      held.push(limits.total);
      now += 10;
      return endedOf(claim);
    };
    for (let index = 0; index < 50; index += 1) chains.add(`endpoint${index}`, 1);
    await dispatch({ attempt, clock, ahead: false }).look();
    await eventually(() => expect(ended).to.have.length(50), 'all are sent');
    expect(Math.max(...held)).to.equal(1);
  });

  it('gives back what has waited so long for a slot that its lease could end before the attempt', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) chains.add(endpoint, 4);
    const ahead = (room: Room) => Promise.resolve(chains.claim({ ...room, slots: room.slots + 3 }));
    let late = 0;
    const clock: Clock = { ...processClock, now: () => processClock.now() + late };
    const dispatcher = dispatch({ claim: ahead, clock });
    void dispatcher.look();
    await eventually(() => expect(limits.total).to.equal(13), 'more is claimed than has a slot');
    late = 5_001;
    wire.endAll();
    await eventually(() => expect(wire.open.size).to.equal(6), 'what is left is sent');
    expect(faults).to.deep.equal([]);
    expect(ended).to.have.length(10);
    expect(chains.released).to.equal(3);
  });

  it('gives back what waits for a slot as soon as it is held', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) chains.add(endpoint, 4);
    const ahead = (room: Room) => Promise.resolve(chains.claim({ ...room, slots: room.slots + 3 }));
    const dispatcher = dispatch({ claim: ahead });
    void dispatcher.look();
    await eventually(() => expect(limits.total).to.equal(13), 'more is claimed than has a slot');
    const held = dispatcher.hold();
    wire.endAll();
    await held;
    expect(ended).to.have.length(10);
    expect(chains.left).to.equal(6);
  });

  it('keeps a wake-up while it is held, lest further ones come to it, until it goes on or stops', async () => {
    const dispatcher = dispatch();
    let kept = 0;
    const look = () => {
      kept += 1;
      return dispatcher.look().then(() => (kept -= 1));
    };
    await dispatcher.hold();
    chains.add('one', 1);
    const first = look();
    await turn();
    expect(kept).to.equal(1);
    await Promise.all([dispatcher.resume(), first]);
    expect(wire.to('one')).to.equal(1);
    wire.endAll();
    await dispatcher.hold();
    const second = look();
    await turn();
    expect(kept).to.equal(1);
    await Promise.all([dispatcher.stop(0), second]);
    expect(kept).to.equal(0);
  });

  it('serves several freed slots with one claim', async () => {
    for (let index = 0; index < 100; index += 1) chains.add(`endpoint${index}`, 1);
    void dispatch().look();
    while (ended.length < 100) {
      const [first] = wire.open.values();
      first?.end();
      await turn();
    }
    expect(chains.asked.length).to.be.at.most(50);
  });

  it('does not lose what becomes ready while it is claiming', async () => {
    let during = () => {
      chains.add('two', 1);
      void dispatcher.look();
    };
    const dispatcher: Dispatcher = dispatch({
      claim: async (room) => {
        const claims = chains.claim(room);
        await Promise.resolve();
        during();
        during = () => undefined;
        return claims;
      },
    });
    chains.add('one', 1);
    await dispatcher.look();
    await eventually(() => expect(wire.to('two')).to.equal(1), 'the second was sent');
  });

  it('holds a wake-up while it is full, and lets go when there is room for what is left', async () => {
    const dispatcher = dispatch();
    for (const endpoint of ['one', 'two', 'three']) chains.add(endpoint, 4);
    let looking = true;
    const look = dispatcher.look().then(() => (looking = false));
    await eventually(() => expect(wire.open.size).to.equal(10), 'all slots are taken');
    expect(looking).to.equal(true);
    wire.endAll();
    await look;
    expect(chains.left).to.equal(0);
  });

  it('gives the slot back when an attempt fails by a fault of ours', async () => {
    const dispatcher = dispatch();
    chains.add('one', 5);
    await dispatcher.look();
    for (const { fail } of [...wire.open.values()]) fail(new Error('no key'));
    await eventually(() => expect(wire.to('one')).to.equal(1), 'the fifth was sent');
    expect(faults).to.have.length(4);
    expect(limits.total).to.equal(1);
  });

  it('gives the slot back when an attempt throws at once', async () => {
    const attempt = (): Promise<EndedAttempt> => Promise.reject(new Error('no key'));
    const dispatcher = dispatch({ attempt });
    chains.add('one', 3);
    await dispatcher.look();
    await eventually(() => expect(limits.total).to.equal(0), 'no slot is held');
    expect(faults).to.have.length(3);
  });

  it('asks for half as much after a claim that failed, or came back too late', async () => {
    limits = new Limits(900, 900);
    chains.add('one', 1_000);
    let now = 0;
    const ends = [() => Promise.reject(new Error('too much')), () => (now += 6_000), () => 0];
    const dispatcher = dispatch({
      clock: { ...processClock, now: () => now },
      claim: async (room) => {
        const claims = chains.claim(room);
        await ends.shift()?.();
        return claims;
      },
    });
    for (let look = 0; look < 3; look += 1) await dispatcher.look();
    expect(chains.asked.slice(0, 3)).to.deep.equal([200, 100, 50]);
  });

  it('looks again after a claim that failed', async () => {
    let away = true;
    const dispatcher = dispatch({
      claim: (room) =>
        away ? Promise.reject(new Error('away')) : Promise.resolve(chains.claim(room)),
    });
    chains.add('one', 1);
    expect(await dispatcher.look()).to.equal(0);
    expect(faults).to.have.length(1);
    away = false;
    expect(await dispatcher.look()).to.equal(1);
  });

  it('claims no more while too much waits to be recorded', async () => {
    const unsettled = [1_000, 1_000, 40, 35];
    const dispatcher = dispatch({ unsettled: () => unsettled.shift() ?? 0 });
    chains.add('one', 1);
    expect(await dispatcher.look()).to.equal(1);
    expect(chains.asked).to.deep.equal([5]);
  });

  it('waits for records without being busy with it', async () => {
    const pauses: number[] = [];
    const clock: Clock = {
      ...processClock,
      after: (ms, work) => {
        pauses.push(ms);
        return processClock.after(ms, work);
      },
    };
    const unsettled = [1_000, 1_000, 1_000];
    const dispatcher = dispatch({ clock, unsettled: () => unsettled.shift() ?? 0 });
    chains.add('one', 1);
    expect(await dispatcher.look()).to.equal(1);
    expect(pauses).to.deep.equal([10, 10, 10]);
  });

  it('stops after the attempts in flight have ended, and claims nothing more', async () => {
    const dispatcher = dispatch();
    chains.add('one', 10);
    await dispatcher.look();
    const stop = dispatcher.stop(60_000);
    wire.endAll();
    await stop;
    expect(ended).to.have.length(4);
    expect(await dispatcher.look()).to.equal(0);
    expect(chains.left).to.equal(6);
  });

  it('gives back what it claimed while it was being stopped', async () => {
    let answer: (claims: Claim[]) => void = () => undefined;
    const claim = () => new Promise<Claim[]>((resolve) => (answer = resolve));
    const dispatcher = dispatch({ claim });
    chains.add('one', 2);
    void dispatcher.look();
    await eventually(() => expect(answer.length).to.equal(1), 'it claims');
    const stop = dispatcher.stop(60_000);
    answer(chains.claim({ slots: 10, perEndpoint: 4, inFlight: new Map() }));
    await stop;
    expect(wire.open.size).to.equal(0);
    expect(chains.left).to.equal(2);
  });

  it('breaks off what does not end in time and gives it back', async () => {
    const dispatcher = dispatch();
    chains.add('hanging', 3);
    await dispatcher.look();
    await dispatcher.stop(20);
    expect(chains.left).to.equal(3);
    expect(faults).to.deep.equal([]);
    expect(limits.total).to.equal(0);
  });

  it('ends a look that waits for room when it is stopped', async () => {
    let waits = false;
    const room = limits.room.bind(limits);
    limits.room = (signal) => {
      waits = limits.free === 0;
      return room(signal);
    };
    const dispatcher = dispatch();
    for (const endpoint of ['one', 'two', 'three']) chains.add(endpoint, 10);
    const look = dispatcher.look();
    await eventually(() => expect(waits).to.equal(true), 'it waits');
    const stop = dispatcher.stop(20);
    expect(await look).to.equal(10);
    await stop;
    expect(chains.left).to.equal(30);
  });
});
