import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { freePort } from '../tools/launcher/ports.js';
import { eventually } from '../test/support/eventually.js';
import { startActor } from './actor.js';

/** The HTTPS server that all sides of a benchmark send to: it reads a body and responds 204. */
export interface Receiver {
  readonly name: 'nginx' | 'Node';
  readonly port: number;
  /** All its ports, each one an origin. Node has one port. */
  readonly ports: readonly number[];
  /** The process that does the work, itself or in its children. */
  readonly pid: number;
  end(): Promise<void>;
}

/**
 * Starts nginx if it is installed, because it costs the least processor time; otherwise a Node process.
 * @param origins the number of ports of nginx
 */
export async function startReceiver(cert: string, key: string, origins = 1): Promise<Receiver> {
  const found = spawnSync('nginx', ['-v']).status === 0;
  if (found) return startNginx(cert, key, origins);
  const actor = await startActor('receiver', { cert, key });
  const { port, pid } = actor;
  return { name: 'Node', port, ports: [port], pid, end: () => actor.end() };
}

async function startNginx(cert: string, key: string, origins: number): Promise<Receiver> {
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-nginx-'));
  const ports: number[] = [];
  while (ports.length < origins) {
    const free = await freePort();
    if (!ports.includes(free)) ports.push(free);
  }

  const [port = 0] = ports;
  mkdirSync(join(folder, 'temp'));
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(ports));

  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  await eventually(() => accepts(port), 'nginx listens');

  return {
    name: 'nginx',
    port,
    ports,
    pid: child.pid ?? -1,
    async end() {
      process.off('exit', kill);
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function nginxConfiguration(ports: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    pid nginx.pid;
    error_log stderr crit;
    worker_processes 1;
    events { worker_connections 4096; }
    http {
      access_log off;
      keepalive_requests 1000000000;
      keepalive_timeout 60s;
      ${temporary.map((name) => `${name}_temp_path temp;`).join(' ')}
      server {
        ${ports.map((port) => `listen 127.0.0.1:${port} ssl;`).join(' ')}
        ssl_certificate cert.pem;
        ssl_certificate_key key.pem;
        location / { return 204; }
      }
    }`;
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
