import { printClientDocuments, printPortalDocuments, printDocumentManifest } from './documents.js';
import { printKnownDocuments } from './known-documents.js';
import {
  printClientTypes,
  printMigrations,
  printOperations,
  printSdl,
  printTypes,
} from './print.js';
import { printPythonTypes } from './python.js';
import { printWebhooks } from './webhooks.js';

/** A file that `npm run generate` writes. */
interface GeneratedFile {
  readonly path: string;
  readonly print: () => Promise<string>;
}

/** Every generated file below `root`, in the order of their dependencies. */
export function generatedFiles(root: string): readonly GeneratedFile[] {
  return [
    { path: 'schema/schema.graphql', print: printSdl },
    { path: 'schema/openapi.yaml', print: () => printWebhooks(root) },
    { path: 'src/http/rest/generated/operations.ts', print: () => printOperations(root) },
    { path: 'src/http/rest/generated/openapi-types.ts', print: () => printTypes(root) },
    { path: 'clients/python/src/signalpost/types.py', print: () => printPythonTypes(root) },
    { path: 'clients/typescript/src/generated/types.ts', print: () => printClientTypes(root) },
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
      path: 'src/http/graphql/generated/known-documents.ts',
      print: () => printKnownDocuments(root),
    },
    { path: 'src/database/generated/migrations.ts', print: () => printMigrations(root) },
  ];
}
