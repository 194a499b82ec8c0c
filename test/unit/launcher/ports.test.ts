import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { freePort } from '../../../tools/launcher/ports.js';

const module = new URL('../../../tools/launcher/ports.js', import.meta.url).href;

describe('freePort', () => {
  it('finds a free port that no outgoing connection takes', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const port = await freePort();
      expect(port).to.be.within(20_000, 32_767);
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
    }
  });

  it('finds other ports than a process that looks at the same time', async () => {
    const count = 300;
    const script = `
      const { freePort } = await import(${JSON.stringify(module)});
      for (let turn = 0; turn < ${count}; turn += 1) console.log(await freePort());
      process.stdin.resume();`;

    const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const theirs: number[] = [];
      const ours: number[] = [];
      for await (const line of createInterface(other.stdout)) {
        if (theirs.push(Number(line)) === count) break;
        ours.push(await freePort());
      }
      expect(new Set([...ours, ...theirs])).to.have.lengthOf(ours.length + count);
    } finally {
      other.kill();
    }
  });
});
