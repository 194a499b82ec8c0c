// npm run dependency-report: reports licences of production dependencies and, if the registry responds,
// their advisories. Exits with 1 on a licence that the policy does not know. Never fails on an advisory:
// it may have no fix yet, and the change that is tested did not cause it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { npm } from './npm.mjs';

/** Licences that allow distribution with this project under its own licence. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  // An old way to write MIT.
  'MIT/X11',
]);
/** Packages whose lock entry names no licence of the list; a person has read the licence file. */
const reviewed = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'png-js': 'MIT',
};

const lockFile = process.argv[2] ?? join(root, 'package-lock.json');
const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
const production = Object.entries(packages).filter(
  ([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && !entry.link,
);
const licences = production.map(([path, { version, license }]) => {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const known = isAllowed(license ?? '') ? license : reviewed[name];
  return { name, version, license: license ?? 'none', known };
});

const counts = new Map();
for (const { known = 'unknown' } of licences) counts.set(known, (counts.get(known) ?? 0) + 1);
const listed = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
print(`licences: ${listed.map(([name, count]) => `${name} ${count}`).join(', ')}`);
for (const { name, version, license, known } of licences) {
  if (known !== undefined) continue;
  print(
    `licences: ${name} ${version} has "${license}", which the policy does not know: replace it or review it here`,
  );
  process.exitCode = 1;
}
for (const line of await advisories()) print(`npm audit: ${line}`);

/** SPDX expressions: all parts of AND, or one part of OR. A person reviews mixed ones. */
function isAllowed(license) {
  const text = license.replace(/^\((.*)\)$/, '$1');
  if (text.includes(' AND ')) return text.split(' AND ').every((part) => allowed.has(part));
  return text.split(' OR ').some((part) => allowed.has(part));
}

async function advisories() {
  const options = [
    '--omit=dev',
    '--fetch-retries=0',
    '--no-update-notifier',
    '--package-lock-only',
    '--json',
  ];

  const { code, stdout } = await npm(['audit', ...options], { timeoutMs: 60_000 });
  const report = parsed(stdout);
  if (report?.auditReportVersion === undefined) {
    const reason =
      code === null
        ? 'no response within 60 s'
        : (report?.message ?? report?.error?.summary ?? 'no report');
    return [`the registry did not respond: ${reason}`];
  }

  const found = Object.values(report.vulnerabilities);
  if (found.length === 0) return ['no advisories about production dependencies'];

  return found.map(({ name, range, severity, via }) => {
    const causes = via.map((cause) =>
      typeof cause === 'string' ? `by ${cause}` : `${cause.title} (${cause.url})`,
    );
    return `${severity}: ${name} ${range}: ${causes.join('; ')}`;
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
