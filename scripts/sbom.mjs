// Writes dist/sbom.json: the production packages as CycloneDX. Part of `npm run build`; also
// `npm run sbom`. Contacts no registry. Always exits with 0, because a build works without the file.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './prepare.mjs';
import { npm } from './npm.mjs';

const file = process.argv[2] ?? join(root, 'dist', 'sbom.json');
const lockName = 'signalpost:package-lock.json:sha256';
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (lockHashOf(file) !== lock) {
  try {
    const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--loglevel=error'];
    const { code, stdout, stderr } = await npm(['sbom', ...options], { timeoutMs: 60_000 });
    if (code !== 0) throw new Error(stderr.trim() || `npm sbom ended with ${code}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(productionOnly(JSON.parse(stdout)), null, 2)}\n`);
  } catch (error) {
    // A file about other packages would be worse than none.
    rmSync(file, { force: true });
    process.stderr.write(`signalpost: could not write ${file}: ${error.message}\n`);
  }
}

/**
 * Removes development packages, and adds the name of the application and the hash of the lock file.
 * `--omit=dev` is not used: npm then also omits production packages that a development package needs.
 * npm itself names the application after its folder.
 */
function productionOnly(sbom) {
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

/** The hash of the lock file in an existing SBOM. */
function lockHashOf(path) {
  try {
    const { metadata } = JSON.parse(readFileSync(path, 'utf8'));
    return metadata.properties.find(({ name }) => name === lockName)?.value;
  } catch {
    return undefined;
  }
}
