import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Child } from '../../../tools/launcher/child-process.js';
import { identityOf } from '../../../tools/launcher/process-identity.js';
import { eventually } from '../../support/eventually.js';

const program = `
process.send({ ready: {} });
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
`;
const limitMs = 30_000;

describe('a process that the launcher keeps alive', () => {
  const node = process.execPath;
  let folder: string;
  let printed: string[];
  const children: Child[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-child-'));
    writeFileSync(join(folder, 'entry.mjs'), program);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => (printed = []));

  afterEach(() => {
    process.execPath = node;
    for (const child of children.splice(0)) child.kill();
  });

  const begin = (entry = join(folder, 'entry.mjs')) => {
    const child = new Child({ name: 'API', entry }, {}, (line) => void printed.push(line));
    children.push(child);
    return child;
  };

  const failure = (child: Child) =>
    child.ready.then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );

  it('reports a process that cannot be started at all, and needs no stop for it', async () => {
    process.execPath = join(folder, 'absent');
    const reported = begin();
    expect(await failure(reported)).to.match(/API process could not be started .*ENOENT/);
    await reported.stop(limitMs);

    const thrown = begin('no\0path');
    expect(await failure(thrown)).to.match(/API process could not be started .*null bytes/);
    await thrown.stop(limitMs);
  });

  it('tries again when a restart of a process fails', async () => {
    const child = begin();
    await child.ready;
    process.execPath = join(folder, 'absent');
    await child.restart({}, limitMs);
    // Each try prints it again.
    await eventually(() => expect(printed).not.to.deep.equal([]), 'it says so');
    expect(printed[0]).to.match(
      /API process could not be started .*ENOENT.* restarting it in 250 ms/,
    );
    process.execPath = node;
    await eventually(() => expect(identityOf(child.pid ?? 0)).to.not.equal(undefined), 'it runs');
  });

  it('keeps a process stopped when a restart is requested after the stop', async () => {
    const child = begin();
    await child.ready;
    await child.stop(limitMs);
    await child.restart({}, limitMs);
    expect(child.pid).to.equal(undefined);
  });

  it('keeps a process stopped that was stopped during a restart', async () => {
    const child = begin();
    await child.ready;
    await Promise.all([child.restart({}, limitMs), child.stop(limitMs)]);
    expect(child.pid).to.equal(undefined);
  });

  it('keeps a process stopped that was killed during a restart', async () => {
    const child = begin();
    await child.ready;
    const restarted = child.restart({}, limitMs);
    child.kill();
    await restarted;
    expect(child.pid).to.equal(undefined);
  });
});
