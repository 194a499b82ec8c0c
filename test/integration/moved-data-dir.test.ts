import { expect } from 'chai';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { acquirePostgres } from '../../tools/launcher/embedded-postgres.js';
import { externalFolderOf } from '../../tools/launcher/data-dir.js';

const isRoot = process.getuid?.() === 0;

describe('the embedded database', () => {
  let folder: string;
  let home: string;
  let cluster = '';
  const outside: string[] = [];

  /** Runs a statement in the database of `dataDir`, started and stopped for it. */
  async function query(dataDir: string, text: string): Promise<unknown[]> {
    const presence = await acquirePostgres(dataDir, 'test');
    try {
      const client = new pg.Client({ connectionString: presence.databaseUrl });
      await client.connect();

      try {
        const { rows } = await client.query<{ data_directory: string }>('show data_directory');
        cluster = rows[0]?.data_directory ?? '';
        return (await client.query<object>(text)).rows;
      } finally {
        await client.end();
      }
    } finally {
      await presence.leave();
    }
  }

  const refusal = (dataDir: string): Promise<string> =>
    query(dataDir, 'select 1').then(
      () => 'it was started',
      (error: unknown) => (error as Error).message,
    );

  before(async () => {
    // Only its owner can enter: as root the database has to go outside.
    folder = mkdtempSync(join(tmpdir(), 'signalpost-moved-'));
    home = join(folder, 'data');
    await query(home, 'create table kept (n int); insert into kept values (7)');
    if (isRoot) outside.push(externalFolderOf(home));
  });

  after(() => {
    for (const path of [folder, ...outside]) rmSync(path, { recursive: true, force: true });
  });

  it('stays with its DATA_DIR when that is renamed', async () => {
    const moved = join(folder, 'renamed');
    renameSync(home, moved);
    expect(await query(moved, 'select n from kept')).to.deep.equal([{ n: 7 }]);
    renameSync(moved, home);
    expect(await query(home, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });

  it('is not replaced by an empty one when it is lost; its URL and password stay', async () => {
    await query(home, 'select 1');
    const address = readFileSync(join(home, 'database-url'), 'utf8');
    renameSync(cluster, `${cluster}-lost`);
    try {
      const message = await refusal(home);
      expect(message).to.include(join(home, 'database-url')).and.include(cluster);
      expect(readFileSync(join(home, 'database-url'), 'utf8')).to.equal(address);
    } finally {
      renameSync(`${cluster}-lost`, cluster);
    }
    expect(await query(home, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });

  it('is not shared with a copy of DATA_DIR', async () => {
    const copy = join(folder, 'copy');
    cpSync(home, copy, { recursive: true });
    if (isRoot)
      expect(await refusal(copy))
        .to.include(home)
        .and.include(cluster);
    else expect(await query(copy, 'delete from kept returning n')).to.have.length(1);
    expect(await query(home, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });

  it('is not touched by another DATA_DIR that gets its former name', async function () {
    const moved = join(folder, 'moved');
    renameSync(home, moved);
    await query(home, 'create table other (n int)');
    if (isRoot) outside.push(dirname(cluster));
    expect(await query(moved, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });
});
