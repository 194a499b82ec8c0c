import { expect } from 'chai';
import type { Mismatch, MismatchOf, OperationId } from '../../src/http/rest/contract.js';

/** Compiles only when both types are the same; the runtime part is for the reader. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
const compiled = <Proof extends true>(proof: Proof) => proof;

interface Contract {
  id: string;
  status: 'open' | 'completed';
  description: string | null;
  cursor?: string;
  order: { id: string } | null;
  tags: string[];
  metadata: Record<string, unknown>;
  count: number;
}

interface Matching {
  id: string;
  status: 'open' | 'completed';
  description: string | null;
  cursor: string | null;
  order: { id: string } | null;
  tags: string[];
  metadata: Record<string, unknown>;
  count: number;
}

type MismatchIn<Result> = Mismatch<Contract, Result, 'answer'>;

describe('the proof that documents fit the contract', () => {
  it('finds nothing wrong with a result that fits', () => {
    expect(compiled<Same<MismatchIn<Matching>, never>>(true)).to.equal(true);
  });

  it('finds nothing wrong with any operation of /v1', () => {
    type Mismatches = { [Id in OperationId]: MismatchOf<Id> }[OperationId];
    expect(compiled<Same<Mismatches, never>>(true)).to.equal(true);
  });

  it('names a member that the document does not select', () => {
    type MissingNames = MismatchIn<Omit<Matching, 'count'>>;
    expect(compiled<Same<MissingNames, 'answer lacks count'>>(true)).to.equal(true);
  });

  it('names an optional member that the document does not select', () => {
    type MissingNames = MismatchIn<Omit<Matching, 'cursor'>>;
    expect(compiled<Same<MissingNames, 'answer lacks cursor'>>(true)).to.equal(true);
  });

  it('names a member that the contract does not know', () => {
    type ExtraNames = MismatchIn<Matching & { secret: string }>;
    expect(compiled<Same<ExtraNames, 'answer has secret'>>(true)).to.equal(true);
  });

  it('names a nullable member that the contract requires', () => {
    type Nullable = MismatchIn<Omit<Matching, 'id'> & { id: string | null }>;
    expect(compiled<Same<Nullable, 'answer.id can be null'>>(true)).to.equal(true);
  });

  it('names a member of another type', () => {
    type Mistyped = MismatchIn<Omit<Matching, 'count'> & { count: string }>;
    expect(compiled<Same<Mistyped, 'answer.count is a string'>>(true)).to.equal(true);
  });

  it('names an enum with a value that the contract does not list', () => {
    type Wider = MismatchIn<Omit<Matching, 'status'> & { status: 'open' | 'lost' }>;
    expect(compiled<Same<Wider, 'answer.status has another type'>>(true)).to.equal(true);
  });

  it('looks into objects and lists', () => {
    type Deeper = MismatchIn<
      Omit<Matching, 'order'> & { order: { id: string; total: number } | null }
    >;
    expect(compiled<Same<Deeper, 'answer.order has total'>>(true)).to.equal(true);
    type InList = Mismatch<{ data: { id: string }[] }, { data: object[] }, 'answer'>;
    expect(compiled<Same<InList, 'answer.data[] lacks id'>>(true)).to.equal(true);
  });

  it('treats a union of answers as what any of them may have', () => {
    type Either = { id: string } | { id: string; secret: string };
    type Shown = Mismatch<Either, { id: string; secret: string }, 'answer'>;
    expect(compiled<Same<Shown, never>>(true)).to.equal(true);
  });

  it('does not compile when the proof itself is wrong', () => {
    // @ts-expect-error -- a member is missing, so the fault is not never
    expect(compiled<Same<MismatchIn<Omit<Matching, 'count'>>, never>>(true)).to.equal(true);
  });
});
