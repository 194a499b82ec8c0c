import { expect } from 'chai';
import { inTurn, Turns } from '../../../src/database/turns.js';
import { type Transact, TurnRefused } from '../../../src/domain/tx.js';
import { isUnavailable } from '../../../src/domain/unavailable.js';

const patient = { atOnce: 2, waiting: 3, patienceMs: 500 };

/** Lets everything go on that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const refusalOf = (taken: Promise<unknown>) =>
  taken.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('turns', () => {
  it('let two of a name in, and everybody of another name', async () => {
    const turns = new Turns(patient);
    const seen: string[] = [];
    for (const who of ['a1', 'a2', 'a3', 'b1']) {
      void turns.take(who.slice(0, 1)).then(() => seen.push(who));
    }
    await settle();
    expect(seen).to.deep.equal(['a1', 'a2', 'b1']);
    expect(turns.waiting).to.equal(1);
  });

  it('are served in the order they were asked for, one for each that ends', async () => {
    const turns = new Turns(patient);
    const [first, second] = [await turns.take('a'), await turns.take('a')];
    const seen: string[] = [];
    const ends: (() => void)[] = [];
    for (const who of ['third', 'fourth', 'fifth']) {
      void turns.take('a').then((end) => {
        seen.push(who);
        ends.push(end);
      });
    }
    first();
    const late = turns.take('a').then(() => seen.push('late'));
    await settle();
    expect(seen).to.deep.equal(['third']);
    second();
    await settle();
    expect(seen).to.deep.equal(['third', 'fourth']);
    for (const end of ends.splice(0)) end();
    await late;
    expect(seen).to.deep.equal(['third', 'fourth', 'fifth', 'late']);
    expect(turns.waiting).to.equal(0);
  });

  it('are refused at once when too many wait, as something to be tried again', async () => {
    const turns = new Turns(patient);
    const end = await turns.take('a');
    void turns.take('a');
    const waits = [turns.take('a'), turns.take('a'), turns.take('a')];
    const refusal = await refusalOf(turns.take('a'));
    expect(refusal).to.be.instanceOf(TurnRefused);
    expect(isUnavailable(refusal)).to.equal(true);
    end();
    await waits[0];
    void turns.take('a');
    await settle();
    expect(turns.waiting).to.equal(3);
  });

  it('are refused when they do not come in time, and are then nobody’s', async () => {
    const turns = new Turns({ ...patient, atOnce: 1, patienceMs: 5 });
    const end = await turns.take('a');
    expect(await refusalOf(turns.take('a'))).to.be.instanceOf(TurnRefused);
    expect(turns.waiting).to.equal(0);
    end();
    await turns.take('a');
  });

  it('end with their transaction, however it ends', async () => {
    const turns = new Turns({ ...patient, atOnce: 1 });
    const transact: Transact = (work) => work({} as never);
    const turned = inTurn(transact, turns);
    const fault = new Error('refused');
    const refused = await refusalOf(turned(() => Promise.reject(fault), { turn: 'a' }));
    expect(refused).to.equal(fault);
    expect(await turned(() => Promise.resolve('done'), { turn: 'a' })).to.equal('done');
    const [held, free] = [await turns.take('a'), await turned(() => Promise.resolve('no turn'))];
    expect(free).to.equal('no turn');
    held();
  });
});
