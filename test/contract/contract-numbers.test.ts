import { expect } from 'chai';
import {
  allNumbers,
  type ContractNumbers,
  disagreements,
  numbersInTitles,
  readContractNumbers,
} from '../support/contract-numbers.js';

describe('numbers of the contract', () => {
  it('are decided in docs/contract.md and tried by tests that name them', () => {
    expect(disagreements(readContractNumbers())).to.deep.equal([]);
  });

  it('are found in titles, several in one', () => {
    const source = [
      "it('H1, A18: shows every member', …",
      'it(\n    `H2: is active in ${mode}`, …',
      "it('reads H3', …",
      "it('H4 is no list', …",
      "describe('H5: no', …",
    ].join('\n');
    expect(numbersInTitles(source)).to.deep.equal(['H1', 'A18', 'H2']);
  });

  it('disagree when a decision is missing, unknown or made twice', () => {
    const decided = [...allNumbers.filter((number) => number !== 'H7'), 'H97', 'A1'];
    expect(disagreements(agreeing({ decided }))).to.have.members([
      'H7 has no decision in docs/contract.md',
      'H7 in a title of some.test.ts does not exist',
      'H97 is not a number of the contract',
      'H97 has no test in test/e2e or test/fault',
      'A1 is decided twice',
    ]);
  });

  it('disagree when a title names a number that does not exist', () => {
    const named = new Map([...everyNumberTested, ['H100', 'some.test.ts'] as const]);
    expect(disagreements(agreeing({ named }))).to.deep.equal([
      'H100 in a title of some.test.ts does not exist',
    ]);
  });

  it('disagree when an observable decision has no test', () => {
    const tested = new Map([...everyNumberTested].filter(([number]) => number !== 'A9'));
    expect(disagreements(agreeing({ tested }))).to.deep.equal([
      'A9 has no test in test/e2e or test/fault',
    ]);
    expect(disagreements(agreeing({ tested, unobservable: ['A9'] }))).to.deep.equal([]);
  });

  it('disagree when a number is excused from tests and tested all the same', () => {
    expect(disagreements(agreeing({ unobservable: ['H96'] }))).to.deep.equal([
      'H96 is excused from tests, yet some.test.ts tests it',
    ]);
  });
});

const everyNumberTested = new Map(allNumbers.map((number) => [number, 'some.test.ts'] as const));

function agreeing(changes: Partial<ContractNumbers>): ContractNumbers {
  return {
    decided: allNumbers,
    unobservable: [],
    named: everyNumberTested,
    tested: everyNumberTested,
    ...changes,
  };
}
