import type { GraphQLSchema } from 'graphql';
import type { Logger } from '../log.js';
import type { AnswerOperation } from './door.js';

/** A server that runs. */
export interface StartedServer {
  readonly answer: AnswerOperation;
  /** Lets running operations end. */
  stop(): Promise<void>;
}

/**
 * A server that is started for its first operation. A start that fails is that operation's fault alone:
 * the next one starts it again.
 */
export class LateServer implements StartedServer {
  readonly #start: () => Promise<StartedServer>;
  #started: Promise<StartedServer> | undefined;

  constructor(start: () => Promise<StartedServer>) {
    this.#start = start;
  }

  /** See {@link AnswerOperation}. */
  readonly answer: AnswerOperation = async (post, context) => {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    const { answer } = await this.#started;
    return answer(post, context);
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
export function lateGraphQLServer(
  schema: GraphQLSchema,
  log: Logger,
  countError: (code: string) => void,
): LateServer {
  return new LateServer(async () => {
    const { answerWith, createGraphQLServer } = await import('./server.js');
    const server = createGraphQLServer(schema, log, countError);
    await server.start();
    return { answer: answerWith(server), stop: () => server.stop() };
  });
}
