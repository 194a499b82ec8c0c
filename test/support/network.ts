import { spawnSync } from 'node:child_process';

/** A network of this machine: nodes with addresses of their own, on a bridge that this machine is on, too. */
export interface TestNetwork {
  /** The address by which nodes reach this machine. */
  readonly host: string;
  /** Adds a node. */
  node(): NetworkNode;
  close(): void;
}

/** A network namespace with one interface. */
export interface NetworkNode {
  readonly address: string;
  /** The command that starts a process in it. */
  readonly within: readonly string[];
  /** Drops all packets from and to the node. Neither side gets an error. */
  cut(): void;
  /** Undoes {@link NetworkNode.cut}. */
  join(): void;
}

/** The reason why tests with a network are pending; undefined when this process can make one. */
export const networkMissing: string | undefined = reasonOfAbsence();

function reasonOfAbsence(): string | undefined {
  if (process.getuid?.() !== 0)
    return 'only root can make network namespaces: run as root to run this';

  try {
    const network = openNetwork();
    try {
      network.node();
    } finally {
      network.close();
    }
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `cannot make network namespaces (Debian: iproute2, and the right to use it): ${reason}`;
  }
}

/** Makes a network, of private addresses that few networks use. */
export function openNetwork(): TestNetwork {
  const { pid } = process;
  const bridge = `sp${pid}`;
  const subnet = `10.${218 + ((pid >> 8) % 32)}.${pid % 256}`;
  const host = `${subnet}.1`;
  const names: string[] = [];
  const close = () => {
    process.off('exit', close);
    for (const name of names) {
      // Without this it would stay until the namespace is gone, which takes a while.
      ip('link', 'del', name);
      ip('netns', 'del', name);
    }
    ip('link', 'del', bridge);
  };

  ip('link', 'add', bridge, 'address', hardwareAddress(1), 'type', 'bridge');
  process.once('exit', close);
  ip('addr', 'add', `${host}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');

  return {
    host,
    node() {
      const number = names.length + 2;
      const name = `${bridge}-${number}`;
      const address = `${subnet}.${number}`;

      ip('netns', 'add', name);
      names.push(name);

      const hardware = hardwareAddress(number);
      ip(
        'link',
        'add',
        name,
        'master',
        bridge,
        'type',
        'veth',
        'peer',
        'name',
        'eth0',
        'address',
        hardware,
        'netns',
        name,
      );

      ip('link', 'set', name, 'up');
      ip('-n', name, 'link', 'set', 'lo', 'up');
      ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      ip('-n', name, 'link', 'set', 'eth0', 'up');

      // Neither side asks for the other's hardware address: without a response it would get an error.
      knows([], address, hardware, bridge);
      knows(['-n', name], host, hardwareAddress(1), 'eth0');

      return {
        address,
        within: ['ip', 'netns', 'exec', name],
        // The interface stays up, but nothing is at its other end.
        cut: () => ip('link', 'set', name, 'nomaster'),
        join: () => ip('link', 'set', name, 'master', bridge),
      };
    },
    close,
  };
}

function knows(where: readonly string[], address: string, hardware: string, device: string): void {
  ip(...where, 'neigh', 'replace', address, 'lladdr', hardware, 'nud', 'permanent', 'dev', device);
}

/** @param number the last part of the address of its host */
function hardwareAddress(number: number): string {
  return `02:53:50:00:00:${number.toString(16).padStart(2, '0')}`;
}

function ip(...words: readonly string[]): void {
  const { error, status, stderr } = spawnSync('ip', words, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr.trim()}`);
}
