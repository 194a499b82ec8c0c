import { expect } from 'chai';
import { isSampled, parseTraceparent } from '../../../src/process/tracing.js';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';
const valid = `00-${trace}-${span}-01`;

describe('traceparent', () => {
  it('parses a traceparent as the W3C defines it', () => {
    expect(parseTraceparent(valid)).to.equal(valid);
    expect(parseTraceparent(`00-${trace}-${span}-00`)).to.equal(`00-${trace}-${span}-00`);
  });

  it('reads a traceparent of a later version as version 00, without further fields', () => {
    expect(parseTraceparent(`01-${trace}-${span}-01-what`)).to.equal(valid);
    expect(parseTraceparent(`cc-${trace}-${span}-01`)).to.equal(valid);
  });

  for (const [why, header] of Object.entries({
    'no header': undefined,
    'two headers': [valid, valid],
    'an empty header': '',
    'upper case': valid.toUpperCase(),
    'version ff': `ff-${trace}-${span}-01`,
    'a trace id of zeros': `00-${'0'.repeat(32)}-${span}-01`,
    'a span id of zeros': `00-${trace}-${'0'.repeat(16)}-01`,
    'a short trace id': `00-${trace.slice(1)}-${span}-01`,
    'other characters': `00-${trace}-${span}-0g`,
    'more in version 00': `${valid}-what`,
    'more without a separator': `01-${trace}-${span}-011`,
    'two headers in one': `${valid}, ${valid}`,
  })) {
    it(`ignores a traceparent: ${why}`, () => expect(parseTraceparent(header)).to.equal(undefined));
  }

  it('the lowest flag of a traceparent says whether the trace is recorded', () => {
    const flagged = (flags: string) => isSampled(`00-${trace}-${span}-${flags}`);
    expect(['00', '01', '02', '03', 'fe', 'ff'].map(flagged)).to.deep.equal([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
  });
});
