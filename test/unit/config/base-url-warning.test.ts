import { expect } from 'chai';
import { baseUrlWarning } from '../../../src/config/base-url-warning.js';
import { type Environment, loadConfig } from '../../../src/config/config.js';

describe('the advice to set BASE_URL', () => {
  const advice = (environment: Environment) =>
    baseUrlWarning(environment, loadConfig({ ...environment, DATABASE_URL_FILE: '' }));

  it('is given where others than this machine are to reach the service, and names what is taken', () => {
    const DATABASE_URL = 'postgres://localhost/signalpost';
    expect(advice({ DATABASE_URL })).to.include('start with http://127.0.0.1:8080');
    expect(advice({ DATABASE_URL_FILE: '/run/secrets/url' })).to.be.a('string');
    expect(advice({ HOST: '0.0.0.0', PORT: '80' })).to.include('start with http://0.0.0.0:80');
    expect(advice({ DATABASE_URL, BASE_URL: 'https://api.example' })).to.equal(undefined);
    for (const HOST of ['127.0.0.1', '::1', 'localhost', '']) {
      expect(advice({ HOST }), HOST).to.equal(undefined);
    }
  });
});
