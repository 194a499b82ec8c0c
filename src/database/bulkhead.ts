import type { DataSource, QueryRunner, ReplicationMode } from 'typeorm';

/** Waits for the right to use one connection. Resolves with a function that releases it. */
export type AcquireConnection = () => Promise<() => void>;

/** Runs `work` with the right to use one connection. */
export async function withConnection<T>(
  acquire: AcquireConnection,
  work: () => Promise<T>,
): Promise<T> {
  const release = await acquire();
  try {
    return await work();
  } finally {
    release();
  }
}

/** Returns the data source for one of its users: TypeORM's queries wait for `acquire` first. */
export function bulkheadFor(dataSource: DataSource, acquire: AcquireConnection): DataSource {
  const createQueryRunner = (mode?: ReplicationMode) =>
    acquireOnConnect(dataSource.createQueryRunner(mode), acquire);
  return Object.create(dataSource, {
    createQueryRunner: { value: createQueryRunner },
  }) as DataSource;
}

function acquireOnConnect(runner: QueryRunner, acquire: AcquireConnection): QueryRunner {
  const connect = runner.connect.bind(runner);
  const release = runner.release.bind(runner);
  let acquired: ReturnType<AcquireConnection> | undefined;
  return Object.assign(runner, {
    async connect(): Promise<unknown> {
      acquired ??= acquire();
      await acquired;
      return connect() as Promise<unknown>;
    },
    async release(): Promise<void> {
      const slot = acquired;
      acquired = undefined;
      try {
        await release();
      } finally {
        // A rejected user holds no slot.
        await slot?.then(
          (release) => release(),
          () => undefined,
        );
      }
    },
  });
}
