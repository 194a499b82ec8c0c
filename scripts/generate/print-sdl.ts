import { buildSchema, printSdl as print } from '../../src/graphql/schema.js';

/** The schema of the code as schema/schema.graphql shows it. */
export function printSdl(): Promise<string> {
  return Promise.resolve(print(buildSchema()));
}
