import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../api/authenticator.js';
import type { DashboardOptions } from './dashboard-options.js';

/** Dependencies of the pages of operators, which only the internal listener serves. */
export interface OperatorOptions extends Pick<
  DashboardOptions,
  'read' | 'transact' | 'limits' | 'files' | 'graphql'
> {
  /** Finds the holders of the cookies of operators. */
  readonly sessions: Authenticator;
  /** The base URL of the service, without a trailing slash. */
  readonly origin: string;
  readonly addressOf: (request: IncomingMessage) => string;
}
