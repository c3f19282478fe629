import type { EventEmitter } from 'node:events';
import { userInfo } from 'node:os';
import { UsageError } from './operator-error.js';

export interface Output {
  /** One line of the result. */
  line(text: string): void;
  /** One line of the result, as JSON. */
  json(value: unknown): void;
  /** A remark beside the result, on stderr. */
  note(text: string): void;
}

export const processOutput: Output = {
  line: (text) => process.stdout.write(`${text}\n`),
  json: (value) => process.stdout.write(`${JSON.stringify(value)}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
};

/** Keeps a command at work whose reader has enough, such as `head`. */
export function ignoreClosedPipe(stream: EventEmitter): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Names that an operator may give: printable, without the marks around the user of the system. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} @._-]{0,63}$/u;

/**
 * Actor of the audit log: the name in `OPERATOR` (`--as`) with the operating system's user, or that user alone.
 * @throws UsageError for an unreadable name, or where neither exists
 */
export function operatorActor(env: NodeJS.ProcessEnv = process.env): string {
  const name = env['OPERATOR']?.trim() ?? '';
  const user = systemUser();
  if (name === '') {
    if (user !== undefined) return `operator ${user}`;
    throw new UsageError('the operating system does not name its user: give a name, --as NAME');
  }
  if (!NAME.test(name)) throw new UsageError(`--as must be a name of at most 64 characters`);
  return user === undefined ? `operator ${name}` : `operator ${name} (${user})`;
}

/** User of the process; undefined in a container whose user has no name. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
