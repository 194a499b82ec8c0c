import { expect } from 'chai';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateArgument, openStartGate } from '../../../src/process/start-gate.js';
import { eventually } from '../../support/eventually.js';

const program = `
import { existsSync, writeFileSync } from 'node:fs';
import { waitForStartGate } from '${new URL('../../../src/process/start-gate.js', import.meta.url).href}';
writeFileSync('loaded', '');
await waitForStartGate();
process.send({ began: existsSync('allowed') ? 'allowed' : 'unasked' });
process.disconnect();
`;

describe('the start gate', () => {
  let folder: string;
  let child: ChildProcess;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-held-'));
    writeFileSync(join(folder, 'entry.mjs'), program);
  });

  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (...args: string[]) => {
    child = spawn(process.execPath, ['entry.mjs', ...args], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  };

  const loads = () =>
    eventually(() => expect(existsSync(join(folder, 'loaded'))).to.equal(true), 'it has loaded');

  it('a process loads its modules, and waits until the launcher opens the gate', async () => {
    start(startGateArgument);
    await loads();
    writeFileSync(join(folder, 'allowed'), '');
    child.send(openStartGate);
    expect(await once(child, 'message')).to.deep.include({ began: 'allowed' });
  });

  it('the gate opens when the message arrived before the modules were loaded', async () => {
    start(startGateArgument);
    child.send(openStartGate);
    expect(await once(child, 'message')).to.deep.include({ began: 'unasked' });
  });

  it('a waiting process ends with its launcher, whether modules are loaded or not', async () => {
    for (const ready of [() => Promise.resolve(), loads]) {
      rmSync(join(folder, 'loaded'), { force: true });
      start(startGateArgument);
      await ready();
      child.disconnect();
      expect(await once(child, 'exit')).to.eql([0, null]);
    }
  });

  it('the gate is open at once without a launcher', async () => {
    start();
    expect(await once(child, 'message')).to.deep.include({ began: 'unasked' });
  });
});
