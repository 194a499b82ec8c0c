import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../authentication.js';
import type { RateLimits } from '../rate-limits.js';
import type { Read, Transact } from '../../domain/tx.js';
import type { ExecuteOperation, KnownDocuments } from '../../graphql/known-documents.js';
import type { ContextOptions } from '../../graphql/context.js';
import type { DashboardFiles } from './pages.js';

/** How the documents of the dashboard run. */
interface DocumentOptions extends Omit<ContextOptions, 'limits'> {
  readonly documents: KnownDocuments;
  /** Finds the holders of bearer tokens. */
  readonly authenticator: Authenticator;
  readonly execute: ExecuteOperation;
}

/** The operator's OpenID provider, where people sign in. */
export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client, which has PKCE only. */
  readonly clientSecret: string | undefined;
  /** How the sign-in page names it. */
  readonly name: string;
  /** Whether members sign in there only. */
  readonly only: boolean;
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
  readonly portalDocuments: KnownDocuments;
  /** The operator's OpenID provider; undefined without one. */
  readonly openId: OpenIdOptions | undefined;
  /** The base URL of the service, without a trailing slash. */
  readonly origin: string;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
}
