import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../api/authenticator.js';
import type { RateLimits } from '../api/rate-limit.js';
import type { Read, Transact } from '../domain/tx.js';
import type { ExecuteOperation } from '../graphql/handler.js';
import type { ContextOptions } from '../graphql/request-context.js';
import type { DashboardFiles } from './dashboard-files.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** How the documents of the dashboard run. */
export interface DocumentOptions extends Omit<ContextOptions, 'limits'> {
  readonly documents: TrustedDocuments;
  /** Finds the holders of bearer tokens. */
  readonly authenticator: Authenticator;
  readonly execute: ExecuteOperation;
}

/** Dependencies of the dashboard. */
export interface DashboardOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly limits: RateLimits;
  /** Finds the holders of session cookies. */
  readonly sessions: Authenticator;
  /** The built pages; undefined if they are not built. */
  readonly files: DashboardFiles | undefined;
  readonly graphql: DocumentOptions;
  /** The base URL of the service, without a trailing slash. */
  readonly origin: string;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
}
