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

  it('is refused while a living process holds it, and free afterwards', () => {
    const lock = takeLock(path);
    expect(holderOf(path)).to.equal(process.pid);
    expect(() => takeLock(path)).to.throw(LockHeld, String(process.pid));
    lock.release();
    expect(holderOf(path)).to.equal(undefined);
    takeLock(path).release();
    expect(readdirSync(folder)).to.eql([]);
  });

  it('is waited for', async () => {
    const lock = takeLock(path);
    const waiting = awaitLock(path, endless);
    lock.release();
    (await waiting).release();
    expect(existsSync(path)).to.equal(false);
  });

  it('is waited for until a signal ends the wait; meanwhile the wait names its holder', async () => {
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

  it('is taken over from a process that is gone, from one that got its number, and from rubbish', () => {
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

  it('stays when another process took it meanwhile', () => {
    const lock = takeLock(path);
    writeFileSync(path, 'of somebody else');
    lock.release();
    expect(existsSync(path)).to.equal(true);
  });
});
