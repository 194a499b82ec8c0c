import { expect } from 'chai';
import { reasonProblem } from '../../../dashboard/src/pages/endpoints/endpoint-rules.js';
import {
  disablingReasonChanges,
  disablingReasonIssues,
} from '../../../src/domain/endpoint/endpoint-input.js';

const detailsOf = (reason: string | null | undefined, active: boolean | null | undefined) =>
  disablingReasonIssues(reason, active).map(({ param, code, detail }) => [param, code, detail]);
const detailOf = (reason: string) => detailsOf(reason, false);
const noAddress = [['reason', 'invalid_value', 'Must not have an e-mail address.']];
const oneLine = [['reason', 'invalid_value', 'Must be one line without control characters.']];
const tooLong = [['reason', 'too_long', 'Must be at most 200 characters.']];

describe('the reason of a person who disables an endpoint', () => {
  it('H232: has at most 200 characters of any kind', () => {
    expect(detailOf('😀'.repeat(200))).to.deep.equal([]);
    expect(detailOf(` ${'a'.repeat(200)} `)).to.deep.equal([]);
    expect(detailOf('a'.repeat(201))).to.deep.equal(tooLong);
    expect(reasonProblem('😀'.repeat(200))).to.equal(undefined);
    expect(reasonProblem(` ${'a'.repeat(200)} `)).to.equal(undefined);
    expect(reasonProblem('a'.repeat(201))).to.equal('tooLong');
  });

  it('H232: is one line that can be stored', () => {
    for (const reason of ['a\nb', 'a\rb', 'a\u2028b', 'a\u001bb', 'a\tb'])
      expect(detailOf(reason), JSON.stringify(reason)).to.deep.equal(oneLine);
    expect(detailOf('a\0b')[0]).to.include('Must not contain a NUL character.');
    expect(detailOf('a\ud800b')[0]).to.include('Must not contain a lone surrogate.');
    expect(detailOf('a\u202eb')).to.deep.equal([]);
  });

  it('H232: must not have an e-mail address, which the erasure of a buyer would have to find', () => {
    for (const reason of ['Asked by ann@shop.example', 'ANN%40shop.example', "<o'x@ä.example>"]) {
      expect(detailOf(reason), reason).to.deep.equal(noAddress);
      expect(reasonProblem(reason), reason).to.equal('address');
    }
    for (const reason of ['Ask @ops', '3 events @ 5 a second', 'at 40% of the load']) {
      expect(detailOf(reason), reason).to.deep.equal([]);
      expect(reasonProblem(reason), reason).to.equal(undefined);
    }
  });

  it('H232: is accepted only with a change that disables, and a blank reason is ignored', () => {
    const detail = 'Must be absent, unless the change sets active to false.';
    for (const active of [true, undefined, null])
      expect(detailsOf('Why', active)).to.deep.equal([['reason', 'invalid_value', detail]]);
    for (const reason of [' ', '', null, undefined]) {
      expect(detailsOf(reason, true)).to.deep.equal([]);
      expect(disablingReasonChanges(reason)).to.deep.equal([]);
    }
    expect(disablingReasonChanges(' Why ')).to.deep.equal([{ field: 'reason', to: 'Why' }]);
  });
});
