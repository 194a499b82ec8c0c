import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../api/authenticator.js';
import type { RateLimits } from '../api/rate-limit.js';
import type { Read, Transact } from '../domain/tx.js';
import type { ExecuteOperation } from '../graphql/handler.js';
import type { ContextOptions } from '../graphql/request-context.js';
import type { DashboardFiles } from './dashboard-files.js';
import type { OpenIdSettings } from './open-id-client.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** How the documents of the dashboard run. */
export interface DocumentOptions extends Omit<ContextOptions, 'limits'> {
  readonly documents: TrustedDocuments;
  /** Finds the holders of bearer tokens. */
  readonly authenticator: Authenticator;
  readonly execute: ExecuteOperation;
}

/** How people sign in at an OpenID provider. */
export interface OpenIdOptions extends OpenIdSettings {
  /** Called when the provider does not answer, or not as it must. */
  readonly onError: (error: unknown) => void;
}

/** Dependencies of the dashboard. */
export interface DashboardOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly limits: RateLimits;
  /** Finds the holders of session cookies. */
  readonly sessions: Authenticator;
  /** Finds the holders of portal sessions. */
  readonly portalSessions: Authenticator;
  /** The built pages; undefined if they are not built. */
  readonly files: DashboardFiles | undefined;
  readonly graphql: DocumentOptions;
  /** The documents of the portal's pages. It runs no others. */
  readonly portalDocuments: TrustedDocuments;
  /** The operator's OpenID provider; undefined without one. */
  readonly openId: OpenIdOptions | undefined;
  /** The base URL of the service, without a trailing slash. */
  readonly origin: string;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
}
