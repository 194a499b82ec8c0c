// Writes the packages of users as `npm pack` ships them: dist/cli-package, the command line, and
// dist/client-package, the TypeScript client. Part of `npm run build`. What a package needs is in it, so that its
// tarball installs without a registry.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiler, root } from './prepare.mjs';

const target = process.argv[2] ?? join(root, 'dist');

stageCli(emptied('cli-package'));
stageClient(emptied('client-package'));

/** In folders as in the repository, because the command line imports the client by its path. */
function stageCli(folder) {
  for (const source of ['cli', join('clients', 'typescript', 'src')]) {
    const compiled = join(root, 'dist', source);
    for (const name of readdirSync(compiled, { recursive: true })) {
      if (/\.(js|json)$/.test(name)) copy(join(compiled, name), join(folder, source, name));
    }
  }

  const manifest = join(root, 'cli', 'package.json');
  copy(manifest, join(folder, 'package.json'));
  copy(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copy(join(root, 'docs', 'cli.md'), join(folder, 'README.md'));

  for (const name of JSON.parse(readFileSync(manifest, 'utf8')).bundleDependencies) {
    copy(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
}

/** Compiled again, for its declarations. */
function stageClient(folder) {
  const source = join(root, 'clients', 'typescript');
  execFileSync(process.execPath, [compiler, '-p', source, '--outDir', join(folder, 'dist')], {
    stdio: ['ignore', 2, 2],
  });

  for (const name of ['package.json', 'README.md', 'examples']) {
    copy(join(source, name), join(folder, name));
  }
  copy(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

function emptied(name) {
  const folder = join(target, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}
