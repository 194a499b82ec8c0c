import go from './receivers/receiver.go?raw';
import node from './receivers/receiver.mjs?raw';
import php from './receivers/receiver.php?raw';
import python from './receivers/receiver.py?raw';
import ruby from './receivers/receiver.rb?raw';
import java from './receivers/Receiver.java?raw';

/** A program that receives events, as the page shows it. */
interface ReceiverCode {
  readonly language: string;
  readonly file: string;
  /** What starts it. */
  readonly command: string;
  readonly source: string;
}

/** Programs that verify what they receive; tests run them. */
export const receivers: readonly ReceiverCode[] = [
  { language: 'Node.js', file: 'receiver.mjs', command: 'node receiver.mjs', source: node },
  { language: 'Python', file: 'receiver.py', command: 'python3 receiver.py', source: python },
  { language: 'Go', file: 'receiver.go', command: 'go run receiver.go', source: go },
  { language: 'Ruby', file: 'receiver.rb', command: 'ruby receiver.rb', source: ruby },
  {
    language: 'PHP',
    file: 'receiver.php',
    source: php,
    command: 'php -S 0.0.0.0:3000 receiver.php',
  },
  { language: 'Java', file: 'Receiver.java', command: 'java Receiver.java', source: java },
];

/** The type that the programs name. */
const namedType = 'cart.order.completed';

/** A program that looks for events of a type. */
export function codeFor({ source }: Pick<ReceiverCode, 'source'>, type: string): string {
  return /^[a-z0-9_.]+$/.test(type) ? source.replaceAll(namedType, type) : source;
}
