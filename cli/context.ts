import { createClient, type Client } from './api/client.js';
import { createPrinter, type Printer } from './output/printer.js';
import { findSession, type Session, type SessionOptions } from './session.js';

/** The options of every command. */
export interface CommonOptions extends SessionOptions {
  readonly json?: boolean;
}

/** What an action works with. */
export interface Context {
  readonly session: Session;
  readonly client: Client;
  readonly print: Printer;
}

/** Returns client and printer. @throws Failure 3 without a key */
export function openContext(options: CommonOptions): Context {
  const session = findSession(options);
  return { session, client: createClient(session), print: createPrinter(options.json ?? false) };
}
