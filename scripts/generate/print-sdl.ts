import { buildSchema, printSdl as print } from '../../src/graphql/schema.js';

/** Generates schema/schema.graphql from the code. */
export function printSdl(): Promise<string> {
  return Promise.resolve(print(buildSchema()));
}
