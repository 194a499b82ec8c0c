// Reports the licences of production dependencies, and the advisories about them where the registry
// answers: `npm run dependency-report`. A licence that the policy does not know ends it with 1; an advisory
// never does: it may have no remedy yet, and nothing that lands caused it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { npm } from './run-npm.mjs';

/** What may be passed on with this project under its own license. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'],
  // How packages of that time write MIT.
  'MIT/X11',
]);
/** Packages whose lock entry names no license of the list; a person has read the file. */
const read = {
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
  const known = isAllowed(license ?? '') ? license : read[name];
  return { name, version, license: license ?? 'none', known };
});

const counts = new Map();
for (const { known = 'unknown' } of licences) counts.set(known, (counts.get(known) ?? 0) + 1);
const listed = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
print(`licences: ${listed.map(([name, count]) => `${name} ${count}`).join(', ')}`);
for (const { name, version, license, known } of licences) {
  if (known !== undefined) continue;
  print(`licences: ${name} ${version} has "${license}", which the policy does not know`);
  process.exitCode = 1;
}
for (const line of await advisories()) print(`npm audit: ${line}`);

/** Of an expression all parts of AND, one of OR; mixed ones a person reads. */
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
        ? 'no answer within 60 seconds'
        : (report?.message ?? report?.error?.summary ?? 'no report');
    return [`the registry could not be asked: ${reason}`];
  }
  const found = Object.values(report.vulnerabilities);
  if (found.length === 0) return ['no advisory about production dependencies'];
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
