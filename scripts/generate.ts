/**
 * Generates the SDL from src/graphql, and `webhooks` of the OpenAPI document from schema/events. Writes to
 * src/http/rest/generated the typed operations and the types of the contract. Lists the migrations, and makes
 * the typed documents of dashboard, portal and command line, and the known documents of these and of `/graphql`.
 * `npm run generate` writes them; `npm run generate -- --check` prints differences and exits with 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineDiff } from './generate/line-diff.js';
import {
  printClientDocuments,
  printPortalDocuments,
  printDocumentManifest,
} from './generate/print-client-documents.js';
import { printKnownDocuments } from './generate/print-known-documents.js';
import { printMigrations } from './generate/print-migrations.js';
import { printOperations } from './generate/print-operations.js';
import { printSdl } from './generate/print-sdl.js';
import { printTypes } from './generate/print-types.js';
import { printWebhooks } from './generate/print-webhooks.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Every generated file, in the order of their dependencies. */
const outputs: readonly { readonly path: string; readonly print: () => Promise<string> }[] = [
  { path: 'schema/schema.graphql', print: printSdl },
  { path: 'schema/openapi.yaml', print: () => printWebhooks(root) },
  { path: 'src/http/rest/generated/operations.ts', print: () => printOperations(root) },
  { path: 'src/http/rest/generated/openapi-types.ts', print: () => printTypes(root) },
  {
    path: 'dashboard/src/generated/documents.ts',
    print: () => printClientDocuments(root, 'dashboard'),
  },
  {
    path: 'dashboard/src/generated/documents.json',
    print: () => printDocumentManifest(root, 'dashboard'),
  },
  {
    path: 'dashboard/src/generated/portal-documents.json',
    print: () => printPortalDocuments(root),
  },
  {
    path: 'dashboard/src/generated/operator-documents.ts',
    print: () => printClientDocuments(root, 'dashboard/operators'),
  },
  {
    path: 'dashboard/src/generated/operator-documents.json',
    print: () => printDocumentManifest(root, 'dashboard/operators'),
  },
  { path: 'cli/generated/documents.ts', print: () => printClientDocuments(root, 'cli') },
  { path: 'cli/documents.json', print: () => printDocumentManifest(root, 'cli') },
  {
    path: 'src/graphql/generated/known-documents.ts',
    print: () => printKnownDocuments(root),
  },
  { path: 'src/database/generated/migrations.ts', print: () => printMigrations(root) },
];

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const { path, print } of outputs) {
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
