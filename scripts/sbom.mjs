// Writes dist/sbom.json, what is installed for production as CycloneDX: the second half of `npm run build`,
// and `npm run sbom`. Asks no registry. A build without it is still a build, so it ends with 0 either way.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './prepare.mjs';
import { npm } from './run-npm.mjs';

const file = process.argv[2] ?? join(root, 'dist', 'sbom.json');
const lockName = 'signalpost:package-lock.json:sha256';
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (madeOf(file) !== lock) {
  try {
    const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--loglevel=error'];
    const { code, stdout, stderr } = await npm(['sbom', ...options], { timeoutMs: 60_000 });
    if (code !== 0) throw new Error(stderr.trim() || `npm sbom ended with ${code}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(ours(JSON.parse(stdout)), null, 2)}\n`);
  } catch (error) {
    // One of other packages would be worse than none.
    rmSync(file, { force: true });
    process.stderr.write(`signalpost: could not write ${file}: ${error.message}\n`);
  }
}

/**
 * Without the development packages: with --omit=dev npm leaves out what one of them needs, too, although
 * production needs it as well. npm names the application after its folder, and does not say which lock was installed.
 */
function ours(sbom) {
  const components = sbom.components.filter(({ properties = [] }) =>
    properties.every(({ name }) => name !== 'cdx:npm:package:development'),
  );
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { component, properties = [] } = sbom.metadata;
  const refs = new Set([component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) }));
  return {
    ...sbom,
    components,
    dependencies,
    metadata: {
      ...sbom.metadata,
      component: { ...component, name },
      properties: [...properties, { name: lockName, value: lock }],
    },
  };
}

/** The lock of which the file that is there was made. */
function madeOf(path) {
  try {
    const { metadata } = JSON.parse(readFileSync(path, 'utf8'));
    return metadata.properties.find(({ name }) => name === lockName)?.value;
  } catch {
    return undefined;
  }
}
