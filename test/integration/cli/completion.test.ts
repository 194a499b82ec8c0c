import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { repositoryRoot } from '../../support/repository.js';
import { runProgram } from '../../support/run-program.js';
import { hasShell, completeLast } from '../../support/shells.js';

const compiled = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const programs = [
  {
    name: 'signalpost',
    script: 'cli/main.js',
    entry: compiled('cli/main.js'),
    tabs: [
      [['endp'], ['endpoints']],
      [['endpoints', 'ro'], ['rotate-secret']],
      [['endpoints', 'list', '--st'], ['--status']],
      [
        ['endpoints', 'list', '--status', ''],
        ['active', 'inactive'],
      ],
    ],
  },
  {
    name: 'signalpost-server',
    script: 'tools/admin/main.js',
    entry: join(repositoryRoot, 'bin', 'signalpost-server.mjs'),
    tabs: [
      [['mig'], ['migrate']],
      [['admin', 'cred'], ['credentials']],
      [
        ['admin', 'credentials', ''],
        ['create', 'list', 'revoke'],
      ],
      [
        ['admin', 'seed', '--size', ''],
        ['small', 'large'],
      ],
    ],
  },
] as const;

describe('the completion scripts', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'signalpost-completion-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    for (const { name, script, entry, tabs } of programs) {
      it(`H184: ${shell} completes ${name} with what it prints`, async function () {
        if (!hasShell(shell)) {
          this.test!.title += ` (pending: ${shell} is not installed here)`;
          return this.skip();
        }
        const printed = await runProgram(script, ['completion', shell], { HOME: folder });
        expect(printed.code, printed.stderr).to.equal(0);
        const tab = { shell, script: printed.stdout, folder, entry };
        for (const [words, offered] of tabs) {
          expect(completeLast(tab, name, ...words), words.join(' ')).to.have.members([...offered]);
        }
      });
    }
  }
});
