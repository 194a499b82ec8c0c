import { readFileSync } from 'node:fs';
import type { BodyLimits } from '../api/bodies.js';
import type { Parameter } from '../api/query.js';
import type { Policy } from '../api/rate-limit.js';
import type { OperationId } from './contract-types.js';

/** An operation of the contract. */
export interface ContractEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly permission: { readonly name: 'webhooks' | 'orders'; readonly level: 'read' | 'write' };
  readonly credentials: readonly string[];
  readonly rateLimit: Policy;
  /** Whether an Idempotency-Key is required. */
  readonly takesKey: boolean;
  readonly query: readonly Parameter[] | null;
  readonly body: {
    readonly limits: BodyLimits;
    /** False: a missing body counts as an empty object. */
    readonly required: boolean;
    readonly schema: object;
  } | null;
  readonly response: object | null;
  /** The statuses of its problems. */
  readonly problems: readonly number[];
}

/** What `npm run build` reads from schema/openapi.yaml. */
interface Contract {
  readonly operations: Readonly<Record<OperationId, ContractEntry>>;
  readonly info: Readonly<Record<'title' | 'version' | 'summary', string>>;
  readonly commonProblems: Readonly<Record<string, readonly string[]>>;
}

const file = new URL('../../schema/contract.json', import.meta.url);
const read = JSON.parse(readFileSync(file, 'utf8')) as Contract;

/** The operations of the public contract by operationId. */
export const contract = read.operations;

/** Title, version and summary of the interface. */
export const { info } = read;

/** Codes that any request may get, by status. */
export const { commonProblems } = read;
