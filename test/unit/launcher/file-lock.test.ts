import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  awaitLock,
  endless,
  holderOf,
  LockHeld,
  takeLock,
} from '../../../tools/launcher/file-lock.js';

describe('a lock file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-lock-'));
    path = join(folder, 'a.lock');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('cannot be taken while a living process holds it, and can afterwards', () => {
    const lock = takeLock(path);
    expect(holderOf(path)).to.equal(process.pid);
    expect(() => takeLock(path)).to.throw(LockHeld, String(process.pid));
    lock.release();
    expect(holderOf(path)).to.equal(undefined);
    takeLock(path).release();
    expect(readdirSync(folder)).to.eql([]);
  });

  it('can be awaited', async () => {
    const lock = takeLock(path);
    const waiting = awaitLock(path, endless);
    lock.release();
    (await waiting).release();
    expect(existsSync(path)).to.equal(false);
  });

  it('can be awaited until a signal ends the wait, which names the holder', async () => {
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

  it('can be taken over from a process that is gone, even if another has its number, and if it is damaged', () => {
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

  it('stays if another process has taken it meanwhile', () => {
    const lock = takeLock(path);
    writeFileSync(path, 'of somebody else');
    lock.release();
    expect(existsSync(path)).to.equal(true);
  });
});
