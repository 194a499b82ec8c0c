// Builds the pages of members into dist/dashboard, and those of operators into dist/dashboard/operators,
// with a compressed copy beside each asset.
// Plain JavaScript; `prepare` runs it when dashboard/ changed.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'dashboard');
const output = join(root, 'dist', 'dashboard');
/** Two builds, so that neither loads code of the other. Each has manifests by their names. */
const builds = [
  {
    mode: 'production',
    folder: output,
    documents: {
      'documents.json': 'documents.json',
      'portal-documents.json': 'portal-documents.json',
    },
  },
  {
    mode: 'operators',
    folder: join(output, 'operators'),
    documents: { 'documents.json': 'operator-documents.json' },
  },
];
const stamp = join(root, 'dist', '.dashboard.stamp');

/** True when dist/dashboard is built from exactly these sources, or there are none. */
export function isDashboardBuilt() {
  // A container image may have only the built pages.
  if (!existsSync(source)) return true;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();
}

/** The SHA-256 of all that the build reads, with the names of the files. */
function digest() {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const hash = createHash('sha256');
  for (const file of [...files, join(root, 'package-lock.json')].sort()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

async function build() {
  const built = digest();
  rmSync(stamp, { force: true });
  for (const { mode, folder, documents } of builds) {
    rmSync(join(folder, 'assets'), { recursive: true, force: true });
    const { build: bundle } = await import('vite');
    await bundle({ configFile: join(source, 'vite.config.ts'), mode, logLevel: 'warn' });
    for (const [name, generated] of Object.entries(documents)) {
      copyFileSync(join(source, 'src', 'generated', generated), join(folder, name));
    }
    compress(join(folder, 'assets'));
  }
  writeFileSync(stamp, built);
}

/** Writes `.br` and `.gz` beside each file, so that no request pays for it. */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
