import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { processClock } from '../../../workers/clock.js';
import { Dispatcher } from '../../../workers/dispatcher.js';
import { Limits } from '../../../workers/limits.js';
import { Solitude } from '../../../workers/solitude.js';
import { ReadyChains } from '../../support/claims.js';
import { eventually } from '../../support/eventually.js';
import { ManualAttempts } from '../../support/manual-attempts.js';

describe('solitude', () => {
  let attempts: ManualAttempts;
  let unsettled: number;
  let recordsAtOnce: boolean;
  let ordinary: ReadyChains;
  let suspects: ReadyChains;
  let others: Dispatcher;
  let alone: Dispatcher;
  let solitude: Solitude;
  let faults: unknown[];
  let checks: number;
  let turnTaken: boolean;
  let away: Error | undefined;
  let rests: number[];
  let endPhase: () => void;
  let passedMs: number;

  const dispatcher = (chains: ReadyChains, limits: Limits) =>
    new Dispatcher({
      limits,
      latestClaimMs: 10_000,
      latestStartMs: 10_000,
      claim: (room) => Promise.resolve(chains.claim(room)),
      attempt: attempts.begin,
      onEnded: () => void (unsettled += recordsAtOnce ? 0 : 1),
      // As in a worker, records that lag do not keep the others from claiming.
      unsettled: () => (chains === suspects && unsettled > 0 ? Infinity : 0),
      release: (claims) => Promise.resolve().then(() => chains.release(claims)),
      onFault: (error) => void faults.push(error),
    });
  const takeTurn = () => {
    if (away) return Promise.reject(away);
    if (turnTaken || suspects.left === 0) return Promise.resolve(false);
    turnTaken = true;
    return Promise.resolve(true);
  };
  const endTurn = (restMs: number) => {
    if (away) return Promise.reject(away);
    turnTaken = false;
    rests.push(restMs);
    return Promise.resolve();
  };
  const sent = () => attempts.endpoints;
  const suspectSent = () =>
    eventually(() => expect(sent()).to.deep.equal(['suspect']), 'the suspect is sent');

  beforeEach(() => {
    attempts = new ManualAttempts();
    [unsettled, checks, passedMs, faults, rests] = [0, 0, 0, [], []];
    [recordsAtOnce, turnTaken, away] = [false, false, undefined];
    ordinary = new ReadyChains();
    suspects = new ReadyChains();
    others = dispatcher(ordinary, new Limits(4, 4));
    alone = dispatcher(suspects, new Limits(1, 1));
    void alone.hold();
    solitude = new Solitude({
      takeTurn,
      endTurn,
      alone,
      others: [others],
      unsettled: () => {
        checks += 1;
        return unsettled;
      },
      clock: {
        now: () => processClock.now() + passedMs,
        after: (ms, work) => {
          if (ms === 1_000) endPhase = work;
          return processClock.after(ms, work);
        },
      },
      turnMs: 60_000,
      onError: (error) => void faults.push(error),
    });
  });
  afterEach(async () => {
    unsettled = 0;
    const stopped = Promise.all([others.stop(0), alone.stop(0)]);
    attempts.endAll();
    await stopped;
    expect(faults).to.deep.equal([]);
  });

  it('begins when nothing is in flight and all is recorded, and nothing begins beside it', async () => {
    ordinary.add('other', 20);
    suspects.add('suspect', 1);
    void others.look();
    await eventually(() => expect(sent()).to.have.length(4), 'the others are in flight');
    solitude.look();
    attempts.endAll();
    await eventually(() => expect(others.free).to.equal(4), 'all have ended');
    void others.look();
    await turn();
    expect(sent(), 'while four are not recorded').to.deep.equal([]);
    unsettled = 0;
    await suspectSent();
    void others.look();
    await turn();
    expect(sent(), 'beside it').to.deep.equal(['suspect']);
    attempts.endAll();
    await eventually(() => expect(unsettled).to.equal(1), 'it has ended');
    endPhase();
    await eventually(() => expect(checks).to.be.greaterThan(1), 'it waits for the record');
    expect(sent(), 'while it is not recorded').to.deep.equal([]);
    unsettled = 0;
    await eventually(() => expect(sent()).to.have.length(4), 'the others go on');
  });

  it('disturbs nobody when nothing is to run alone', async () => {
    ordinary.add('other', 2);
    solitude.look();
    await solitude.ended();
    await others.look();
    expect(sent()).to.deep.equal(['other', 'other']);
  });

  it('ends its turn when it is over, to rest for as long as it took', async () => {
    recordsAtOnce = true;
    suspects.add('suspect', 1);
    const begunAt = processClock.now();
    solitude.look();
    await suspectSent();
    expect(turnTaken).to.equal(true);
    const sentAt = processClock.now();
    await turn();
    const leastMs = processClock.now() - sentAt;
    attempts.endAll();
    await solitude.ended();
    expect(rests).to.have.length(1);
    expect(rests[0]).to.be.within(leastMs, processClock.now() - begunAt);
  });

  it('waits no longer than its turn for a record that never comes', async () => {
    suspects.add('suspect', 1);
    solitude.look();
    await suspectSent();
    attempts.endAll();
    await eventually(() => expect(unsettled).to.equal(1), 'it has ended');
    endPhase();
    await eventually(() => expect(checks).to.be.greaterThan(1), 'it waits for the record');
    expect(rests, 'within its turn').to.deep.equal([]);
    passedMs = 60_000;
    await eventually(() => expect(rests).to.have.length(1), 'the turn is over');
    expect(turnTaken).to.equal(false);
  });

  it('sends no isolated delivery between its turns', async () => {
    recordsAtOnce = true;
    suspects.add('suspect', 1);
    solitude.look();
    await suspectSent();
    attempts.endAll();
    await solitude.ended();
    suspects.add('suspect', 1);
    void alone.look();
    await turn();
    expect(sent(), 'outside a turn').to.deep.equal([]);
    solitude.look();
    await suspectSent();
  });

  it('reports a database that is away, resumes the others, and works at the next look', async () => {
    recordsAtOnce = true;
    suspects.add('suspect', 1);
    ordinary.add('other', 1);
    const failure = (away = new Error('away'));
    solitude.look();
    await solitude.ended();
    expect(faults.splice(0), 'no turn').to.deep.equal([failure]);
    away = undefined;
    solitude.look();
    await suspectSent();
    away = failure;
    attempts.endAll();
    await solitude.ended();
    expect(faults.splice(0), 'no end of the turn').to.deep.equal([failure]);
    await eventually(() => expect(sent()).to.deep.equal(['other']), 'the others go on');
  });

  it('holds nobody while another process has the turn', async () => {
    turnTaken = true;
    suspects.add('suspect', 1);
    ordinary.add('other', 1);
    solitude.look();
    await solitude.ended();
    await others.look();
    expect(sent()).to.deep.equal(['other']);
    expect(rests).to.deep.equal([]);
  });
});
