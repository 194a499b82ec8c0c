import { expect } from 'chai';
import fc from 'fast-check';
import { readJson, setMembers } from '../../../cli/commands/trigger.js';
import { Failure } from '../../../cli/failure.js';
import { InvalidJson, readJson as readJsonOfService } from '../../../src/http/strict-json.js';

describe('the data of trigger', () => {
  it('H269: trigger refuses the same numbers as the service', () => {
    const digits = fc.stringMatching(/^[0-9]{1,20}$/);
    const whole = fc.stringMatching(/^(?:0|[1-9][0-9]{0,19})$/);
    const literal = fc
      .tuple(
        fc.constantFrom('', '-'),
        whole,
        fc.option(digits),
        fc.option(fc.integer({ min: -340, max: 340 })),
      )
      .map(([sign, integer, fraction, power]) =>
        [sign, integer, fraction && `.${fraction}`, power !== null && `e${power}`]
          .filter(Boolean)
          .join(''),
      );

    const refuses = (read: () => unknown, kind: new (...args: never[]) => Error) => {
      try {
        read();
        return false;
      } catch (error) {
        expect(error).to.be.instanceOf(kind);
        return true;
      }
    };

    fc.assert(
      fc.property(literal, (number) => {
        const text = `{"n":[${number},"1e400"]}`;
        const byService = refuses(() => readJsonOfService(Buffer.from(text)), InvalidJson);
        expect(refuses(() => readJson('--data', text), Failure)).to.equal(byService);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes a value that is not JSON as text, and null as null', () => {
    const set = (value: string) => setMembers({ a: 1 }, [`a=${value}`], {});
    expect(set('USD')).to.deep.equal({ a: 'USD' });
    expect(set('null')).to.deep.equal({ a: null });
    expect(set('2.50')).to.deep.equal({ a: 2.5 });
    expect(() => set('1e400')).to.throw(Failure, '--set has the number 1e400');
  });
});
