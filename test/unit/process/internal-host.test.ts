import { expect } from 'chai';
import { isInternalHost } from '../../../src/process/internal-host.js';

const names = ['metrics.shop.example'];

describe('the Host header of a listener of operators', () => {
  const accepted = [
    '127.0.0.1:8081',
    '10.1.2.3',
    '[::1]:8081',
    '[fe80::1]',
    'localhost',
    'LOCALHOST:8081',
    'api',
    'api:8081',
    'signalpost.shop.svc',
    'signalpost.shop.svc.cluster.local:8081',
    'signalpost.shop.svc.',
    'metrics.shop.example',
    'Metrics.Shop.Example:80',
  ];

  const refused = [
    'evil.example',
    'evil.example:8081',
    '127.0.0.1.evil.example',
    '10.1.2.3.nip.io',
    'localhost.evil.example',
    'svc.evil.example',
    'x-svc.example',
    'cluster.local.evil.example',
    'other.metrics.shop.example',
    '[::1].evil.example',
    '1.2.3',
    '127.0.0.1@evil.example',
  ];

  it('accepts a Host that is an address, a name without a dot, a name of a cluster or a name of INTERNAL_HOSTS', () => {
    expect(accepted.filter((host) => !isInternalHost(host, names))).to.deep.equal([]);
    expect(isInternalHost(undefined, names)).to.equal(true);
  });

  it('refuses a Host that another site can have', () => {
    expect(refused.filter((host) => isInternalHost(host, names))).to.deep.equal([]);
    expect(isInternalHost(names[0], [])).to.equal(false);
  });
});
