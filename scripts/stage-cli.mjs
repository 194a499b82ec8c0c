// Writes dist/cli-package: the command line as `npm pack ./dist/cli-package` ships it. Part of
// `npm run build`. Its packages are bundled, so that the tarball installs without a registry.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './prepare.mjs';

const target = process.argv[2] ?? join(root, 'dist', 'cli-package');
const compiled = join(root, 'dist', 'cli');
const manifest = join(root, 'cli', 'package.json');

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const name of readdirSync(compiled, { recursive: true })) {
  if (/\.(js|json)$/.test(name)) copy(join(compiled, name), name);
}
copy(manifest, 'package.json');
copy(join(root, 'LICENSE'), 'LICENSE');
copy(join(root, 'docs', 'cli.md'), 'README.md');
for (const name of JSON.parse(readFileSync(manifest, 'utf8')).bundleDependencies) {
  cpSync(join(root, 'node_modules', name), join(target, 'node_modules', name), { recursive: true });
}

function copy(from, name) {
  mkdirSync(dirname(join(target, name)), { recursive: true });
  cpSync(from, join(target, name));
}
