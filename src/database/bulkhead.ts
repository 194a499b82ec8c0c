import type { DataSource, QueryRunner, ReplicationMode } from 'typeorm';

/** Waits for the right to hold one connection; resolves with what gives it back. */
export type TakeConnection = () => Promise<() => void>;

/** Runs `work` with the right to hold one connection. */
export async function withConnection<T>(take: TakeConnection, work: () => Promise<T>): Promise<T> {
  const giveBack = await take();
  try {
    return await work();
  } finally {
    giveBack();
  }
}

/** The same data source for one of its users, whose queries of TypeORM wait for `take` first. */
export function bulkheadOf(dataSource: DataSource, take: TakeConnection): DataSource {
  const createQueryRunner = (mode?: ReplicationMode) =>
    waiting(dataSource.createQueryRunner(mode), take);
  return Object.create(dataSource, {
    createQueryRunner: { value: createQueryRunner },
  }) as DataSource;
}

function waiting(runner: QueryRunner, take: TakeConnection): QueryRunner {
  const connect = runner.connect.bind(runner);
  const release = runner.release.bind(runner);
  let taken: ReturnType<TakeConnection> | undefined;
  return Object.assign(runner, {
    async connect(): Promise<unknown> {
      taken ??= take();
      await taken;
      return connect() as Promise<unknown>;
    },
    async release(): Promise<void> {
      const held = taken;
      taken = undefined;
      try {
        await release();
      } finally {
        // Who was refused holds nothing.
        await held?.then(
          (giveBack) => giveBack(),
          () => undefined,
        );
      }
    },
  });
}
