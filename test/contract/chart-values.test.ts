import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { settings } from '../../src/config/settings.js';
import { chartFolder, example, parseManifests, podsOf, itWithHelm } from '../support/chart.js';

const chart = join(chartFolder, 'signalpost');
// Some builds of helm take themselves for an old cluster.
const cluster = ['--kube-version', '1.33.0'];
const exampleValues = ['--values', join(chartFolder, 'example-values.yaml')];

const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });
const render = (...values: string[]) =>
  helm('template', 'signalpost', chart, '--namespace', 'signalpost', ...cluster, ...values);
/** The pods of the chart with its own values, but for these. */
function renderPods(values: string) {
  const { status, stdout, stderr } = render('--set', `baseUrl=https://a.example,${values}`);
  expect(status, stderr).to.equal(0);
  return podsOf(parseManifests(stdout));
}

const refusals: readonly (readonly [values: string, message: string])[] = [
  ['worker.autoscaling.min=0', '/worker/autoscaling/min'],
  ['worker.autoscaling.min=5,worker.autoscaling.max=2', 'worker.autoscaling.min is more than'],
  ['api.autoscaling.min=5,api.autoscaling.max=2', 'api.autoscaling.min is more than'],
  ['worker.replica=3', "additional properties 'replica'"],
  ['attemptTimeoutSeconds=61', '/attemptTimeoutSeconds'],
  ['podSecurityContext.runAsNonRoot=false', '/podSecurityContext/runAsNonRoot'],
  ['image.digest=latest', '/image/digest'],
  ['serviceMonitor.interval=often', '/serviceMonitor/interval'],
  ['networkPolicy.redis.port=6379', "additional properties 'port'"],
  ['networkPolicy.redis.ports={70000}', '/networkPolicy/redis/ports/0'],
  ['extraVolumeMounts[1].name=x', "missing property 'mountPath'"],
  ['settings.BASE_URL=x', 'set baseUrl instead'],
  ['api.settings.LAME_DUCK=9s', 'set api.lameDuckSeconds instead'],
  ['worker.settings.WEBHOOKS_TIMEOUT=9s', 'set attemptTimeoutSeconds instead'],
  ['settings.INTERNAL_PORT=x', 'the chart sets this port'],
];

const tests: Readonly<Record<string, () => void>> = {
  'is what the kept example shows': () => {
    const { status, stdout, stderr } = render(...exampleValues);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.equal(example);
  },
  'passes the lint of helm': () => {
    const { status, stdout } = helm('lint', '--strict', chart, ...exampleValues, ...cluster);
    expect(status, stdout).to.equal(0);
  },
  'refuses values that make no sense, and names them': () => {
    for (const [values, message] of refusals) {
      const { status, stderr } = render(...exampleValues, '--set', values);
      expect(status, values).to.equal(1);
      expect(stderr, values).to.include(message);
    }
  },
  'refuses each secret as a plain setting': () => {
    for (const name of Object.keys(settings).filter(
      (each) => settings[each as keyof typeof settings].secret,
    )) {
      const { status, stderr } = render(...exampleValues, '--set-string', `settings.${name}=x`);
      expect(status, name).to.equal(1);
      expect(stderr).to.include(`settings.${name} is a secret`);
    }
  },
  'gives processes longer to stop with a longer timeout of attempts': () => {
    const graces = renderPods('attemptTimeoutSeconds=60,api.lameDuckSeconds=20').map(
      ({ name, pod }) => [name, pod.terminationGracePeriodSeconds],
    );
    expect(graces).to.have.deep.members([
      ['signalpost-api', 100],
      ['signalpost-worker', 80],
      ['signalpost-migrate', undefined],
    ]);
  },
  'names each variable once, and the value of a part wins': () => {
    const options = 'settings.NODE_OPTIONS=--all,worker.settings.NODE_OPTIONS=--own';
    const values = renderPods(options).map(({ name, container: { env } }) => {
      const names = env.map((each) => each.name);
      expect(names, name).to.deep.equal([...new Set(names)]);
      return [name, env.find((each) => each.name === 'NODE_OPTIONS')?.value];
    });
    expect(values).to.have.deep.members([
      ['signalpost-api', '--all'],
      ['signalpost-worker', '--own'],
      ['signalpost-migrate', '--all'],
    ]);
  },
  'leaves user and group to a cluster that chooses them': () => {
    const none = ['runAsUser', 'runAsGroup', 'fsGroup'].map(
      (name) => `podSecurityContext.${name}=null`,
    );
    for (const { name, pod } of renderPods(none.join(',')))
      expect(pod.securityContext, name).to.deep.equal({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
  },
};

describe('the chart, as helm renders it', () => {
  for (const [title, test] of Object.entries(tests)) itWithHelm(title, test);
});
