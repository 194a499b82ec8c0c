import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect } from 'chai';
import {
  ensureReceiverAuthority,
  issueServerCertificate,
} from '../../../tools/launcher/receiver-authority.js';

describe('the authority for receivers on this machine', () => {
  let dataDir: string;

  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'signalpost-ca-'));
  });
  after(() => rmSync(dataDir, { recursive: true }));

  /** What a client that trusts only the authority says of a server; undefined when it is content. */
  const checkTrust = async (servername: string, trusts: string): Promise<string | undefined> => {
    const server = createServer(await issueServerCertificate(dataDir));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');

    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, servername, ca: trusts });
    try {
      return await new Promise((resolve) => {
        socket.once('secureConnect', () => resolve(undefined));
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      });
    } finally {
      socket.destroy();
      server.close();
    }
  };

  it('issues certificates that the clients of the service accept, for their names only', async () => {
    const authority = readFileSync(await ensureReceiverAuthority(dataDir), 'utf8');
    expect(await checkTrust('localhost', authority)).to.equal(undefined);
    expect(await checkTrust('elsewhere.test', authority)).to.equal('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('creates an authority that no other client trusts', async () => {
    const other = mkdtempSync(join(tmpdir(), 'signalpost-ca-'));
    const stranger = readFileSync(await ensureReceiverAuthority(other), 'utf8');
    rmSync(other, { recursive: true });
    expect(await checkTrust('localhost', stranger)).to.equal('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('creates one authority for several processes at once, with a key for its owner only', async () => {
    const [path = ''] = await Promise.all([1, 2, 3].map(() => ensureReceiverAuthority(dataDir)));
    const before = readFileSync(path, 'utf8');
    expect(readFileSync(await ensureReceiverAuthority(dataDir), 'utf8')).to.equal(before);
    expect(statSync(join(dataDir, 'receiver-ca-key.pem')).mode & 0o777).to.equal(0o600);
  });
});
