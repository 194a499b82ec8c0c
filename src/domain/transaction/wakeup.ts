/** Tells workers that rows are due. It carries no ids: workers find the rows in PostgreSQL. */
export interface Wakeup {
  readonly kind: WakeupKind;
  /** When the rows are due. Defaults to now. */
  readonly at?: Date;
  /** Whether the commit has signalled already, so that only the job in the queue is missing. */
  readonly signalled?: boolean;
  /** Of a publish: the subjects whose next delivery must first be made ready. */
  readonly subjects?: readonly OrderedSubject[];
}

/** A subject whose deliveries an endpoint gets one at a time. */
export interface OrderedSubject {
  readonly endpointId: string;
  readonly subjectKey: string;
}

/** For deliveries that became ready and that no event was published for, so that none counts as accepted. */
export const deliveriesReady: Wakeup = { kind: 'due', at: new Date(0) };

/**
 * The kinds of work: due pending deliveries, replays that a client waits for, notices, expiring checkouts. Each kind
 * has its own queue, so that operators can pause and scale it separately.
 */
export const wakeupKinds = ['due', 'replay', 'notify', 'expire'] as const;
export type WakeupKind = (typeof wakeupKinds)[number];

/** The channel of PostgreSQL on which workers receive signals of `kind`, whichever queue is used. */
export const channelOf = (kind: WakeupKind): string => `signalpost_wake_${kind}`;

const signalStatement = { name: 'signal', text: `select pg_notify($1, '')` };

/** What runs statements: a `Read` or a pool. The queue imports this file, so it names neither. */
interface Connection {
  readonly sql: (statement: typeof signalStatement, values: readonly unknown[]) => Promise<unknown>;
}

/** Sends a signal to all listening workers. It is not stored, so it does not wait for a disk. */
export async function sendSignal({ sql }: Connection, kind: WakeupKind): Promise<void> {
  await sql(signalStatement, [channelOf(kind)]);
}
