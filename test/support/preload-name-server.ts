// Loaded by `--import` into a process of a test. Its DNS clients ask only NAME_SERVER.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

dns.Resolver = class extends dns.Resolver {
  constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
    super(options);
    this.setServers([process.env['NAME_SERVER'] ?? '']);
  }
};
syncBuiltinESMExports();
