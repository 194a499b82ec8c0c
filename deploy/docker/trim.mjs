// Part of the image build, in a folder with node_modules and sbom.json: deletes source maps and types,
// which no process reads, and reduces the list of packages to those that are installed here.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const unread = /\.(map|d\.ts|d\.mts|d\.cts)$/;

for (const entry of readdirSync('node_modules', { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && unread.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
}

const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));
const installed = new Set(
  Object.entries(packages).map(([path, { version }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return `${name}@${version}`;
  }),
);
const sbom = JSON.parse(readFileSync('sbom.json', 'utf8'));
const components = sbom.components.filter(({ group, name, version }) =>
  installed.has(`${group ? `${group}/` : ''}${name}@${version}`),
);
const refs = new Set([
  sbom.metadata.component['bom-ref'],
  ...components.map((one) => one['bom-ref']),
]);
const dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => refs.has(ref)) }));
writeFileSync('sbom.json', `${JSON.stringify({ ...sbom, components, dependencies }, null, 2)}\n`);

const missing = [...installed].filter(
  (name) =>
    !components.some(
      ({ group, name: own, version }) => `${group ? `${group}/` : ''}${own}@${version}` === name,
    ),
);
if (missing.length > 0) {
  process.stderr.write(`sbom.json lacks ${missing.join(', ')}\n`);
  process.exit(1);
}
