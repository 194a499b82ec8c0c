import type { GraphQLSchema } from 'graphql';
import type { ExecuteOperation } from './handler.js';
import type { ServerLog } from './server.js';

export interface RunningServer {
  readonly execute: ExecuteOperation;
  /** Waits for running operations. */
  stop(): Promise<void>;
}

/**
 * Starts a server with its first operation. If the start fails, only that operation fails; the next
 * one retries.
 */
export class LazyServer implements RunningServer {
  readonly #start: () => Promise<RunningServer>;
  #started: Promise<RunningServer> | undefined;

  constructor(start: () => Promise<RunningServer>) {
    this.#start = start;
  }

  readonly execute: ExecuteOperation = async (post, context) => {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    const { execute } = await this.#started;
    return execute(post, context);
  };

  /** Waits for running operations. Does nothing if the server never started. */
  async stop(): Promise<void> {
    await (await this.#started)?.stop();
  }
}

/**
 * The server of /graphql. It is loaded and started with the first operation, so an API process that
 * serves only `/v1` never loads it.
 */
export function lazyGraphQLServer(
  schema: GraphQLSchema,
  log: ServerLog,
  countError: (code: string) => void,
): LazyServer {
  return new LazyServer(async () => {
    const { executeWith, createGraphQLServer } = await import('./server.js');
    const server = createGraphQLServer(schema, log, countError);
    await server.apollo.start();
    return { execute: executeWith(server), stop: () => server.apollo.stop() };
  });
}
