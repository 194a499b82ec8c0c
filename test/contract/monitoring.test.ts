import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { createMetrics } from '../../src/http/server/metrics.js';
import { WorkerMetrics } from '../../workers/metrics.js';
import { repositoryRoot } from '../support/repository.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook', string>>;
}

interface RuleTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly object[];
  }[];
}

const folder = join(repositoryRoot, 'deploy', 'monitoring');
const textOf = (...path: string[]) => readFileSync(join(repositoryRoot, ...path), 'utf8');
const { groups } = parse(textOf('deploy/monitoring/alerts.yaml')) as {
  groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const operations = textOf('docs/operations.md');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** The metrics of all processes, as Prometheus names their series. */
async function knownMetrics(): Promise<Set<string>> {
  const api = createMetrics();

  const text = `${await api.print()}${await new WorkerMetrics().text()}`;
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : name,
    ),
  );
}

/** The series of ours that an expression names. */
const seriesOf = (expression: string) =>
  expression.match(/\b(?:signalpost|nodejs|process)_\w+/g) ?? [];

/** The anchor of a heading, as renderers of Markdown make it. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe('alerts and dashboards', () => {
  it('alerts and dashboards name only metrics that the processes have', async () => {
    const known = await knownMetrics();
    const dashboards = readdirSync(join(folder, 'dashboards')).flatMap((file) => {
      const text = textOf('deploy/monitoring/dashboards', file);
      return [...text.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, expr = '']) => expr);
    });
    expect(dashboards).to.have.length.above(20);
    const named = [...rules.map(({ expr }) => expr), ...dashboards].flatMap(seriesOf);
    expect(named.filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('each alert has a summary, a severity, and an existing section of docs/operations.md', () => {
    const anchors = [...operations.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      anchorOf(title),
    );
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity, alert).to.be.oneOf(['critical', 'warning']);
      expect(annotations, alert).to.have.all.keys('summary', 'description', 'runbook');
      const [path, anchor] = annotations.runbook.split('#');
      expect(path, alert).to.equal('docs/operations.md');
      expect(anchor, alert).to.be.oneOf(anchors);
      expect(operations).to.include(`| \`${alert}\``);
    }
  });

  it('the section of each alert says what to type: numbered steps, one of them with code', () => {
    const sections = new Map(
      operations.split(/^#+ /m).map((text) => [anchorOf(text.split('\n')[0] ?? ''), text]),
    );
    for (const { alert, annotations } of rules) {
      const section = sections.get(annotations.runbook.split('#')[1] ?? '') ?? '';
      const steps = section.match(/^\d+\. [^]*?(?=^\d+\. |(?![^]))/gm) ?? [];
      expect(steps.length, alert).to.be.at.least(2);
      expect(
        steps.some((step) => step.includes('`')),
        alert,
      ).to.equal(true);
    }
  });

  it('each alert has a test that fires it, and one that does not', () => {
    const { tests } = parse(textOf('deploy/monitoring/alerts.test.yaml')) as {
      tests: readonly RuleTest[];
    };
    const tried = tests.flatMap((group) => group.alert_rule_test);
    for (const fires of [true, false]) {
      const names = tried.filter((rule) => rule.exp_alerts.length > 0 === fires);
      const once = new Set(names.map(({ alertname }) => alertname));
      expect([...once]).to.have.members(rules.map(({ alert }) => alert));
    }
  });

  const title = 'alerts fire as their tests say';

  if (hasPromtool) {
    it(title, () => {
      const args = ['test', 'rules', join(folder, 'alerts.test.yaml')];
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).to.equal(0);
    });
  } else {
    it(`${title} (pending: promtool of Prometheus is not installed)`);
  }
});
