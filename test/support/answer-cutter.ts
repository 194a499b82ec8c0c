import { listenOn, portOf, SocketPairs } from './socket-pairs.js';

/** A proxy before PostgreSQL that breaks connections between a commit and its answer. */
export interface AnswerCutter {
  readonly port: number;
  /**
   * Breaks the connection on which a transaction with these bytes ends, and keeps its answer. Lets
   * `passing` of them pass before. Resolves when it did so.
   */
  cutAfter(passing: number): Promise<void>;
  close(): Promise<void>;
}

/** ReadyForQuery outside of a transaction (PostgreSQL documentation, "Message Formats"). */
const idle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Opens a proxy before `port` of this machine. @param bytes what the transactions contain */
export async function createAnswerCutter(port: number, bytes: string): Promise<AnswerCutter> {
  const pairs = new SocketPairs();
  let armed: { passing: number; readonly done: () => void } | undefined;
  const server = await listenOn(0, (client) => {
    const upstream = pairs.connect(client, port);
    let inTransaction = false;
    let tail = '';
    client.on('data', (chunk) => {
      const text = tail + chunk.toString('latin1');
      inTransaction ||= text.includes(bytes);
      tail = text.slice(1 - bytes.length);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      const ends = chunk.subarray(-idle.length).equals(idle);
      if (ends && inTransaction && armed && (armed.passing -= 1) < 0) {
        const { done } = armed;
        armed = undefined;
        client.destroy();
        done();
      } else client.write(chunk);
      if (ends) {
        inTransaction = false;
        tail = '';
      }
    });
  });
  return {
    port: portOf(server),
    cutAfter: (passing) => new Promise((done) => (armed = { passing, done })),
    close: () => pairs.close(server),
  };
}
