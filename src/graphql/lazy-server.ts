import type { GraphQLSchema } from 'graphql';
import type { Reply } from '../api/replies.js';
import type { ExecuteOperation, ExecuteText } from './known-documents.js';
import { mediaTypes } from './media-type.js';
import type { ServerLog } from './server.js';

export interface RunningServer {
  readonly execute: ExecuteText;
  /** Waits for running operations. */
  stop(): Promise<void>;
}

/**
 * Runs operations: known documents compiled, all others with a server that it starts for the first of them.
 * If the start fails, only that operation fails; the next one retries.
 */
export class LazyServer {
  readonly #start: () => Promise<RunningServer>;
  #started: Promise<RunningServer> | undefined;

  constructor(start: () => Promise<RunningServer>) {
    this.#start = start;
  }

  readonly execute: ExecuteOperation = async (post, context) => {
    const { document, accept, body } = post;
    const headers = responseHeaders.get(accept);
    const executed = document && headers && (await document.run(body ?? {}, context));
    if (headers && executed && !executed.errors) {
      return { status: 200, headers, text: `${JSON.stringify({ data: executed.data })}\n` };
    }

    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });

    const { execute } = await this.#started;
    return execute(post, context, executed);
  };

  /** Waits for running operations. Does nothing if the server never started. */
  async stop(): Promise<void> {
    await (await this.#started)?.stop();
  }
}

/** Headers of a response without errors, by the type that the client accepts. */
const responseHeaders: ReadonlyMap<string, Reply['headers']> = new Map(
  mediaTypes.map((type) => [type, { 'content-type': `${type}; charset=utf-8` }]),
);

/** The server of /graphql. An API process that runs only known documents and `/v1` never loads Apollo. */
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
