import { expect } from 'chai';
import { readKey } from '../../../../src/http/rest/idempotency.js';
import { ApiError } from '../../../../src/http/problems.js';

/** Node gives header bytes as one character each. */
const asNode = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

function refusal(values: readonly string[]): { code: string; cause: string | undefined } {
  try {
    readKey(values);
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError);
    const { code, errors } = error as ApiError;
    expect(errors).to.have.lengthOf(1);
    expect(errors[0]?.param).to.equal('Idempotency-Key');
    return { code, cause: errors[0]?.code };
  }
  return { code: 'accepted', cause: undefined };
}

describe('readKey', () => {
  const required = { code: 'idempotency_key_required', cause: 'idempotency_key_required' };
  const invalid = (cause: string) => ({ code: 'invalid_idempotency_key', cause });

  it('refuses a request whose key is missing or empty', () => {
    expect(refusal([])).to.deep.equal(required);
    expect(refusal([''])).to.deep.equal(required);
  });

  it('takes the key literally, with quotes, commas and tabs', () => {
    for (const key of ['abc', '"abc"', 'a, b', 'a\tb', ' ']) {
      expect(readKey([asNode(key)])).to.equal(key);
    }
  });

  it('decodes the key as UTF-8', () => {
    expect(readKey([asNode('é🎉')])).to.equal('é🎉');
    expect(readKey([asNode('\ufeffa')])).to.equal('\ufeffa');
  });

  it('limits the key by characters, not by bytes or UTF-16 units', () => {
    expect(readKey([asNode('🎉'.repeat(255))])).to.have.lengthOf(510);
    expect(refusal([asNode('🎉'.repeat(256))])).to.deep.equal(invalid('too_long'));
    expect(readKey(['x'.repeat(255)])).to.have.lengthOf(255);
    expect(refusal(['x'.repeat(256)])).to.deep.equal(invalid('too_long'));
  });

  it('refuses a key that is not UTF-8', () => {
    for (const bytes of ['a\xe9b', '\xc0\x80', '\xed\xa0\x80', '\xf5\x80\x80\x80']) {
      expect(refusal([bytes])).to.deep.equal(invalid('invalid_encoding'));
    }
  });

  it('refuses a key with NUL, even if the transport lets it through', () => {
    expect(refusal(['a\0b'])).to.deep.equal(invalid('nul_byte'));
  });

  it('refuses a repeated header, equal or not', () => {
    expect(refusal(['a', 'b'])).to.deep.equal(invalid('repeated_header'));
    expect(refusal(['a', 'a'])).to.deep.equal(invalid('repeated_header'));
  });
});
