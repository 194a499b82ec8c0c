import { readFileSync } from 'node:fs';

export function printSdl(): Promise<string> {
  return Promise.resolve(readFileSync('schema/schema.graphql', 'utf8'));
}
