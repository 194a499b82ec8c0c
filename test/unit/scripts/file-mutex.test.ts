import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { repositoryRoot } from '../../support/repository.js';

type AcquireFileMutex = (
  path: string,
  options: {
    print: (line: string) => void;
    limitMs?: number;
    isAlive?: (pid: number) => boolean;
  },
) => Promise<() => void>;

describe('the mutex of processes that install and compile', () => {
  let folder: string;
  let lock: string;
  let acquireFileMutex: AcquireFileMutex;
  const messages: string[] = [];
  const print = (line: string) => void messages.push(line);

  before(async () => {
    const file = pathToFileURL(join(repositoryRoot, 'scripts', 'file-mutex.mjs'));
    ({ acquireFileMutex } = (await import(file.href)) as { acquireFileMutex: AcquireFileMutex });
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-turn-'));
    lock = join(folder, 'lock');
    messages.length = 0;
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The number of a process that has ended. */
  const gone = () => Number(spawnSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).stdout);

  it('lets processes in one after the other', async () => {
    const first = await acquireFileMutex(lock, { print });
    let taken = false;
    const second = acquireFileMutex(lock, { print }).then((release) => {
      taken = true;
      return release;
    });

    await eventually(() => {
      expect(messages.join()).to.include(`waiting for process ${process.pid}`);
    }, 'the second waits');
    expect(taken).to.equal(false);
    first();
    (await second)();
    expect(readdirSync(folder)).to.eql([]);
  });

  it('ignores a process that ended without releasing it', async () => {
    writeFileSync(lock, `${gone()}\n`);
    (await acquireFileMutex(lock, { print }))();
    expect(readdirSync(folder)).to.eql([]);
  });

  it('never removes the lock that another waiter took at the same moment', async () => {
    writeFileSync(lock, '1000000001\n');

    const others = `${process.pid} other\n`;

    // Between the look at the holder and the removal of its lock, the other one is quicker.
    const isAlive = (pid: number) => {
      if (pid !== 1_000_000_001) return true;
      writeFileSync(lock, others);
      return false;
    };

    const outcome: unknown = await acquireFileMutex(lock, { print, isAlive, limitMs: 300 }).catch(
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(Error);
    expect(readFileSync(lock, 'utf8')).to.equal(others);
  });

  it('gives up after its limit, and names the file to remove', async () => {
    writeFileSync(lock, `${process.pid}\n`);
    const error = await acquireFileMutex(lock, { print, limitMs: 0 }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(Error);
    expect((error as Error).message)
      .to.include(lock)
      .and.include(String(process.pid));
    expect(readdirSync(folder)).to.eql(['lock']);
  });

  it('releases only its own lock', async () => {
    const release = await acquireFileMutex(lock, { print });
    writeFileSync(lock, 'somebody else’s');
    release();
    expect(readFileSync(lock, 'utf8')).to.equal('somebody else’s');
  });
});
