import type { GraphQLSchema } from 'graphql';
import type { Logger } from '../process/log.js';
import type { ExecuteOperation } from './handler.js';

/** A server that runs. */
export interface RunningServer {
  readonly execute: ExecuteOperation;
  /** Lets running operations end. */
  stop(): Promise<void>;
}

/**
 * A server that is started for its first operation. A start that fails is that operation's fault alone:
 * the next one starts it again.
 */
export class LazyServer implements RunningServer {
  readonly #start: () => Promise<RunningServer>;
  #started: Promise<RunningServer> | undefined;

  constructor(start: () => Promise<RunningServer>) {
    this.#start = start;
  }

  /** See {@link ExecuteOperation}. */
  readonly execute: ExecuteOperation = async (post, context) => {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    const { execute } = await this.#started;
    return execute(post, context);
  };

  /** Lets running operations end. */
  async stop(): Promise<void> {
    await (await this.#started)?.stop();
  }
}

/**
 * The server behind /graphql, loaded and started for the first operation: an API process that serves
 * /v1 alone never holds it.
 */
export function lazyGraphQLServer(
  schema: GraphQLSchema,
  log: Logger,
  countError: (code: string) => void,
): LazyServer {
  return new LazyServer(async () => {
    const { executeWith, createGraphQLServer } = await import('./server.js');
    const server = createGraphQLServer(schema, log, countError);
    await server.start();
    return { execute: executeWith(server), stop: () => server.stop() };
  });
}
