import { expect } from 'chai';
import { pods, podsOf, itWithHelm, renderManifests } from '../support/chart.js';

describe('the pods of the chart', () => {
  it('mount the keys of the Secret that the values name, and no other', () => {
    for (const { name, pod, container } of pods) {
      const items = pod.volumes.find((each) => each.name === 'secrets')?.secret?.items ?? [];
      const keys = ['DATABASE_URL', 'SECRET_KEY', 'REDIS_URL', 'SMTP_URL'];
      expect(items, name).to.deep.equal(keys.map((key) => ({ key, path: key })));
      const files = container.env.filter((each) => each.name.endsWith('_FILE'));
      for (const key of keys) expect(files.map((each) => each.name)).to.include(`${key}_FILE`);
    }
  });

  it('have files of the operator, such as certificate authorities', () => {
    for (const { name, pod, container } of pods) {
      expect(pod.volumes.map((each) => each.name)).to.deep.equal(['tmp', 'secrets', 'authorities']);
      const mount = container.volumeMounts.at(-1);
      expect(mount, name).to.deep.equal({
        name: 'authorities',
        mountPath: '/etc/signalpost',
        readOnly: true,
      });
      const file = container.env.find((each) => each.name === 'WEBHOOKS_CA_FILE')?.value;
      expect(file?.startsWith(`${mount?.mountPath}/`), name).to.equal(true);
    }
  });

  itWithHelm('have no other volume by default', () => {
    for (const { name, pod } of podsOf(renderManifests()))
      expect(
        pod.volumes.map((each) => each.name),
        name,
      ).to.deep.equal(['tmp', 'secrets']);
  });
});
