import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { chartFolder, parseManifests } from './chart.js';

const chart = join(chartFolder, 'signalpost');
/** Whether the tests can render the chart. */
const hasHelm = spawnSync('helm', ['version']).status === 0;

function template(folder: string, values: readonly string[], more: readonly string[]) {
  return spawnSync(
    'helm',
    // Some builds of helm take themselves for an old cluster.
    [
      'template',
      'signalpost',
      folder,
      '--kube-version',
      '1.33.0',
      '--set',
      'baseUrl=https://a.example',
      ...values.flatMap((value) => ['--set-json', value]),
      ...more,
    ],
    { encoding: 'utf8' },
  );
}

/** @param values such as `worker.replicas=3`, each in JSON; others are those of the chart */
export function renderManifests(...values: string[]) {
  const { status, stdout, stderr } = template(chart, values, []);
  expect(status, stderr).to.equal(0);
  return parseManifests(stdout);
}

/** What helm prints after an install with these values. It shows notes only with a cluster, so a copy has them as a manifest. */
export function renderNotes(...values: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    cpSync(chart, folder, { recursive: true });
    cpSync(join(folder, 'templates', 'NOTES.txt'), join(folder, 'notes'));
    const wrapped = 'notes: {{ tpl (.Files.Get "notes") . | quote }}\n';
    writeFileSync(join(folder, 'templates', 'notes.yaml'), wrapped);
    const { status, stdout, stderr } = template(folder, values, [
      '--show-only',
      'templates/notes.yaml',
    ]);
    expect(status, stderr).to.equal(0);
    return (parse(stdout) as { notes: string }).notes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Defines the tests, which are pending without helm. */
export function itWithHelm(title: string, test: () => void): void {
  if (hasHelm) it(title, test);
  else it(`${title} (pending: helm is not installed)`);
}
