import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { RateLimits } from '../../src/api/rate-limit.js';
import type { DashboardFiles } from '../../src/dashboard-server/pages.js';
import type { OpenIdOptions } from '../../src/dashboard-server/dashboard-options.js';
import type { Database } from '../../src/database/database.js';
import { lazyGraphQLServer } from '../../src/graphql/lazy-server.js';
import { KnownDocuments } from '../../src/graphql/known-documents.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { listen } from '../../src/http/listen.js';
import { createPublicApp, type PublicAppOptions } from '../../src/http/public-app.js';
import { createAuthenticators } from '../../src/process/create-authenticators.js';
import { freePort } from '../../tools/launcher/ports.js';
import { publisherOf } from './publisher.js';

interface Options {
  /** The base URL; defaults to that of the listener. */
  readonly origin?: string;
  readonly files?: DashboardFiles;
  /** The texts of the documents that it trusts. */
  readonly documents?: readonly string[];
  readonly perMinute?: number;
  readonly openId?: OpenIdOptions;
}

/** The id of a trusted document. */
export function documentId(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Starts a public listener with a dashboard and nothing else of use. */
export async function startDashboard(database: Database, made: Options = {}) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const log = pino({ level: 'silent' });
  const { read, transact } = database;
  const authenticators = createAuthenticators(6_000);
  const { authenticator, sessions, portalSessions } = authenticators;
  const schema = buildSchema();
  const graphql = lazyGraphQLServer(schema, log, () => undefined);
  const reports: unknown[] = [];
  const texts = (made.documents ?? []).map((text) => [documentId(text), text] as const);
  const documents = new KnownDocuments(schema, new Map(texts));
  const options = {
    routes: [],
    dependencies: {
      read,
      transact,
      limits: new RateLimits({ perMinute: made.perMinute ?? 60_000 }),
    },
    pageDatabase: { read, transact },
    dashboard: {
      read,
      transact,
      sessions,
      portalSessions,
      files: made.files,
      openId: made.openId,
      graphql: {
        execute: graphql.execute,
        authenticator,
        replayLimitMs: 20_000,
        report: (error: unknown) => void reports.push(error),
        dependencies: {
          read,
          transact,
          publisher: publisherOf(database),
          waitForReplay: () => Promise.reject(new Error('no replay ends here')),
        },
        documents,
      },
      portalDocuments: documents,
    },
    origin: made.origin ?? address,
    trustedProxies: 1,
    sandbox: false,
    log,
    onForwardedForProblem: () => undefined,
    observe: () => undefined,
  } as unknown as PublicAppOptions;
  const listener = await listen(createPublicApp(options), {
    host: '127.0.0.1',
    port,
    origin: address,
    log,
  });
  return {
    address,
    origin: options.origin,
    reports,
    /** Drops the viewers that it keeps, as a notification does. */
    invalidate: () => authenticators.invalidateAll(),
    close: async () => {
      await listener.close();
      await graphql.stop();
    },
  };
}
