import { readFileSync } from 'node:fs';
import type { ContractEntry } from './call.js';
import type { OperationId } from './contract-types.js';

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
