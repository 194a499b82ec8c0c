// A test loads this into a process by `--import`. The DNS clients of the process then ask only NAME_SERVER.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

dns.Resolver = class extends dns.Resolver {
  constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
    super(options);
    this.setServers([process.env['NAME_SERVER'] ?? '']);
  }
};
syncBuiltinESMExports();
