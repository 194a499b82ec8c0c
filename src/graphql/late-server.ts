import type { GraphQLSchema } from 'graphql';
import type { Logger } from '../log.js';
import type { AnswerOperation } from './door.js';

interface Started {
  readonly answer: AnswerOperation;
  stop(): Promise<void>;
}

/**
 * The server behind /graphql, loaded and started for the first operation: an API process that serves
 * /v1 alone never holds it.
 */
export class LateServer {
  readonly #schema: GraphQLSchema;
  readonly #log: Logger;
  #started: Promise<Started> | undefined;

  constructor(schema: GraphQLSchema, log: Logger) {
    this.#schema = schema;
    this.#log = log;
  }

  /** See {@link AnswerOperation}. */
  readonly answer: AnswerOperation = async (post, context) => {
    this.#started ??= this.#start();
    const { answer } = await this.#started;
    return answer(post, context);
  };

  /** Lets running operations end. */
  async stop(): Promise<void> {
    await (await this.#started)?.stop();
  }

  async #start(): Promise<Started> {
    const { answerWith, createGraphQLServer } = await import('./server.js');
    const server = createGraphQLServer(this.#schema, this.#log);
    await server.start();
    return { answer: answerWith(server), stop: () => server.stop() };
  }
}
