import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { findCluster, recordClusterPath } from '../../../tools/launcher/data-dir.js';
import {
  awaitLock,
  defaultWait,
  holderOf,
  LockHeld,
  takeLock,
} from '../../../tools/launcher/file-lock.js';

describe('the database of a DATA_DIR', () => {
  let folder: string;
  let home: string;
  let inside: string;
  let outside: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalpost-path-')));
    home = makeFolder('data');
    inside = join(home, 'postgres');
    outside = join(folder, 'outside', 'one', 'postgres');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const makeFolder = (...parts: string[]) => {
    const path = join(folder, ...parts);
    mkdirSync(path, { recursive: true });
    return path;
  };

  const address = () => writeFileSync(join(home, 'database-url'), 'postgres://127.0.0.1/x\n');
  const find = (dataDir = home) => findCluster(dataDir);
  const begin = (cluster: string) => {
    mkdirSync(cluster, { recursive: true });
    address();
    recordClusterPath(home, cluster);
  };

  const move = (name: string) => {
    const moved = join(folder, name);
    renameSync(home, moved);
    return moved;
  };

  it('finds no database before the first start', () => {
    expect(find()).to.equal(undefined);
  });

  it('finds a database inside DATA_DIR after DATA_DIR was moved', () => {
    begin(inside);
    const moved = move('other');
    expect(find(moved)).to.equal(join(moved, 'postgres'));
  });

  it('records a database outside DATA_DIR, so that DATA_DIR can move', () => {
    begin(outside);
    const moved = move('other');
    expect(find(moved)).to.equal(outside);
    recordClusterPath(moved, outside);
    // A new DATA_DIR with the former name starts empty.
    expect(find(makeFolder('data'))).to.equal(undefined);
  });

  it('refuses a URL whose database is missing, and names both', () => {
    address();

    expect(() => find())
      .to.throw(join(home, 'database-url'))
      .with.property('message')
      .that.includes(inside);

    begin(outside);
    rmSync(outside, { recursive: true });

    // A folder at the default path is not taken for the database.
    mkdirSync(inside);

    expect(() => find())
      .to.throw(outside)
      .with.property('message')
      .that.includes('database-url')
      .and.does.not.include(inside);
  });

  it('refuses a database whose URL is missing, and names both', () => {
    for (const cluster of [inside, outside]) {
      begin(cluster);
      rmSync(join(home, 'database-url'));
      expect(() => find())
        .to.throw(cluster)
        .with.property('message')
        .that.includes(join(home, 'database-url'));
    }
  });

  it('refuses a copy of DATA_DIR that still names the database of the original', () => {
    begin(outside);

    const copy = join(folder, 'copy');
    cpSync(home, copy, { recursive: true });

    expect(() => find(copy))
      .to.throw(home)
      .with.property('message')
      .that.includes(outside)
      .and.includes(join(copy, 'database-path'));

    expect(find()).to.equal(outside);

    const own = join(folder, 'outside', 'two', 'postgres');
    cpSync(dirname(outside), dirname(own), { recursive: true });
    writeFileSync(join(copy, 'database-path'), `${own}\n`);
    expect(find(copy)).to.equal(own);
  });

  it('finds a database that was moved into DATA_DIR by hand', () => {
    begin(outside);
    renameSync(outside, inside);
    writeFileSync(join(home, 'database-path'), 'postgres\n');
    expect(find()).to.equal(inside);
  });

  it('gives a complete database its final name if the first start was killed just before', () => {
    mkdirSync(`${inside}.new`);
    expect(find()).to.equal(undefined);
    writeFileSync(join(`${inside}.new`, 'PG_VERSION'), '18\n');
    recordClusterPath(home, inside);
    address();
    expect(find()).to.equal(inside);
    expect(readFileSync(join(inside, 'PG_VERSION'), 'utf8')).to.equal('18\n');
    expect(existsSync(`${inside}.new`)).to.equal(false);
  });
});

describe('a lock file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-lock-'));
    path = join(folder, 'a.lock');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('refuses a lock that a living process holds, and takes it once it is released', () => {
    const lock = takeLock(path);
    expect(holderOf(path)).to.equal(process.pid);
    expect(() => takeLock(path)).to.throw(LockHeld, String(process.pid));
    lock.release();
    expect(holderOf(path)).to.equal(undefined);
    takeLock(path).release();
    expect(readdirSync(folder)).to.eql([]);
  });

  it('waits for a lock', async () => {
    const lock = takeLock(path);
    const waiting = awaitLock(path, defaultWait);
    lock.release();
    (await waiting).release();
    expect(existsSync(path)).to.equal(false);
  });

  it('waits for a lock until a signal ends the wait, and names the holder', async () => {
    takeLock(path);
    const controller = new AbortController();
    const reasons: string[] = [];
    const onWait = (reason: string) => {
      reasons.push(reason);
      controller.abort();
    };
    const patience = { signal: controller.signal, onWait };
    const failure = await awaitLock(path, patience).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(LockHeld);
    expect(reasons).to.eql([`process ${process.pid} holds ${path}`]);
  });

  it('takes over a lock whose process is gone, even if another has its pid, and a damaged lock', () => {
    const gone = spawnSync(process.execPath, ['--version']).pid;
    for (const left of [
      JSON.stringify({ pid: gone, identity: '1@boot', nonce: '' }),
      JSON.stringify({ pid: process.pid, identity: '1@boot', nonce: '' }),
      '{"pid":',
    ]) {
      writeFileSync(path, left);
      expect(holderOf(path)).to.equal(undefined);
      takeLock(path).release();
    }
  });

  it('does not remove a lock that another process has taken meanwhile', () => {
    const lock = takeLock(path);
    writeFileSync(path, 'of somebody else');
    lock.release();
    expect(existsSync(path)).to.equal(true);
  });
});
