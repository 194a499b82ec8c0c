import { expect } from 'chai';
import type { Fault, FaultOf, OperationId } from '../../src/rest/fits.js';

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

interface Fitting {
  id: string;
  status: 'open' | 'completed';
  description: string | null;
  cursor: string | null;
  order: { id: string } | null;
  tags: string[];
  metadata: Record<string, unknown>;
  count: number;
}

type FaultIn<Result> = Fault<Contract, Result, 'answer'>;

describe('the proof that documents fit the contract', () => {
  it('finds nothing wrong with a result that fits', () => {
    expect(compiled<Same<FaultIn<Fitting>, never>>(true)).to.equal(true);
  });

  it('finds nothing wrong with any operation of the table', () => {
    type Faults = { [Id in OperationId]: FaultOf<Id> }[OperationId];
    expect(compiled<Same<Faults, never>>(true)).to.equal(true);
  });

  it('names a member that the document does not select', () => {
    type Lacking = FaultIn<Omit<Fitting, 'count'>>;
    expect(compiled<Same<Lacking, 'answer lacks count'>>(true)).to.equal(true);
  });

  it('names an optional member that the document does not select', () => {
    type Lacking = FaultIn<Omit<Fitting, 'cursor'>>;
    expect(compiled<Same<Lacking, 'answer lacks cursor'>>(true)).to.equal(true);
  });

  it('names a member that the contract does not know', () => {
    type Besides = FaultIn<Fitting & { secret: string }>;
    expect(compiled<Same<Besides, 'answer has secret'>>(true)).to.equal(true);
  });

  it('names a member that can be null where the contract says that it is there', () => {
    type Nullable = FaultIn<Omit<Fitting, 'id'> & { id: string | null }>;
    expect(compiled<Same<Nullable, 'answer.id can be null'>>(true)).to.equal(true);
  });

  it('names a member of another type', () => {
    type Mistyped = FaultIn<Omit<Fitting, 'count'> & { count: string }>;
    expect(compiled<Same<Mistyped, 'answer.count is a string'>>(true)).to.equal(true);
  });

  it('names an enum with a value that the contract does not list', () => {
    type Wider = FaultIn<Omit<Fitting, 'status'> & { status: 'open' | 'lost' }>;
    expect(compiled<Same<Wider, 'answer.status has another type'>>(true)).to.equal(true);
  });

  it('looks into objects and lists', () => {
    type Deeper = FaultIn<Omit<Fitting, 'order'> & { order: { id: string; total: number } | null }>;
    expect(compiled<Same<Deeper, 'answer.order has total'>>(true)).to.equal(true);
    type InList = Fault<{ data: { id: string }[] }, { data: object[] }, 'answer'>;
    expect(compiled<Same<InList, 'answer.data[] lacks id'>>(true)).to.equal(true);
  });

  it('takes a union of answers as what any of them may have', () => {
    type Either = { id: string } | { id: string; secret: string };
    type Shown = Fault<Either, { id: string; secret: string }, 'answer'>;
    expect(compiled<Same<Shown, never>>(true)).to.equal(true);
  });

  it('does not compile when it is wrong itself', () => {
    // @ts-expect-error -- a member is missing, so the fault is not never
    expect(compiled<Same<FaultIn<Omit<Fitting, 'count'>>, never>>(true)).to.equal(true);
  });
});
