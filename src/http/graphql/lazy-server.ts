import type { GraphQLSchema } from 'graphql';
import type { ExecuteText } from './known-documents.js';
import type { ServerLog } from './server.js';

export interface RunningServer {
  readonly execute: ExecuteText;
  stop(): Promise<void>;
}

/**
 * A server that starts with its first operation. If the start fails, only that operation fails; the next one
 * tries again.
 */
export class LazyServer {
  readonly #start: () => Promise<RunningServer>;
  #started: Promise<RunningServer> | undefined;

  constructor(start: () => Promise<RunningServer>) {
    this.#start = start;
  }

  readonly execute: ExecuteText = async (post, context, executed) => {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });

    const { execute } = await this.#started;
    return execute(post, context, executed);
  };

  /** Stops the server if it was started. Running operations are not waited for: the listeners close first. */
  async stop(): Promise<void> {
    await (await this.#started)?.stop();
  }
}

/** The Apollo server of `/graphql`. A process that runs only known documents and `/v1` never loads Apollo. */
export function lazyGraphQLServer(
  schema: GraphQLSchema,
  log: ServerLog,
  countError: (code: string) => void,
): LazyServer {
  return new LazyServer(async () => {
    const { executeWith, createGraphQLServer } = await import('./server.js');
    const apollo = createGraphQLServer(schema, log, countError);
    await apollo.start();
    return { execute: executeWith(apollo), stop: () => apollo.stop() };
  });
}
