/**
 * Generates the SDL from src/graphql, and `webhooks` of the OpenAPI document from schema/events. Writes to
 * src/http/rest/generated the typed operations and the types of the contract. Lists the migrations, and makes
 * the typed documents of dashboard, portal and command line, and the known documents of these and of `/graphql`.
 * `npm run generate` writes them; `npm run generate -- --check` prints differences and exits with 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generate/files.js';
import { lineDiff } from './generate/print.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const { path, print } of generatedFiles(root)) {
  const wanted = await print();
  const found = readOrEmpty(join(root, path));
  if (wanted === found) continue;
  stale.push(path);
  if (check) {
    process.stdout.write(`${path} is stale:\n${lineDiff(found, wanted)}\n`);
  } else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), wanted);
    process.stdout.write(`wrote ${path}\n`);
  }
}
if (check && stale.length > 0) {
  process.stdout.write(`Run "npm run generate" and commit ${stale.join(', ')}.\n`);
  process.exitCode = 1;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
