import { stat } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import { ConfigurationError } from '../configuration-error.js';
import type { Logger } from '../logger.js';
import type { ServiceContext } from '../service-context.js';
import { parsedVariables, type FileVariable, type ParsedVariables } from './file-variables.js';
import { readVariableFile, UnreadableFileError, VariableFileError } from './read-variable-file.js';

interface Watched {
  readonly variable: FileVariable;
  /** Digest of the value in use. */
  used: string;
  /** State of the file at the last look; a change of it is a reason to read. */
  state: string;
  /** The system refused the last read: a reason to read again although the file is the same. */
  isUnreadable: boolean;
  /** Problem or digest that was reported last. */
  reported: string | undefined;
}

/**
 * Reads the files of variables again when they change, and replaces the values of reloadable variables. A value that is
 * not valid changes nothing. Polls, because the watchers of the system miss the exchange of a symbolic link, by which
 * Kubernetes replaces a secret.
 */
export class FileWatch {
  private readonly watched: readonly Watched[];
  private readonly metrics: WatchMetrics;

  constructor(
    { files, reloadable }: ParsedVariables,
    private readonly logger: Logger,
    registry: Registry,
    private readonly readFile = readVariableFile,
  ) {
    this.watched = files.map((variable) => ({
      variable,
      used: variable.digest,
      state: '',
      isUnreadable: false,
      reported: undefined,
    }));
    this.metrics = new WatchMetrics(registry, { files, reloadable });
  }

  /** Looks at every file once. */
  async poll(): Promise<void> {
    for (const watched of this.watched) {
      const state = await stateOf(watched.variable.path);
      if (state === watched.state && !watched.isUnreadable) continue;
      watched.state = state;
      this.read(watched);
    }
  }

  private read(watched: Watched): void {
    const { name, path } = watched.variable;
    try {
      const { text, digest } = this.readFile(path);
      watched.isUnreadable = false;
      if (digest !== watched.used) this.change(watched, text, digest);
      else this.settle(watched);
    } catch (error) {
      if (!(error instanceof VariableFileError)) throw error;
      this.refuse(watched, error, `${name}_FILE: ${error.message}`);
    }
  }

  /** Reports a file without a value; one that is unreadable for the same reason as before was reported. */
  private refuse(watched: Watched, error: VariableFileError, problem: string): void {
    const isRepeated = watched.isUnreadable && watched.reported === problem;
    watched.isUnreadable = error instanceof UnreadableFileError;
    if (!isRepeated) this.reject(watched, problem);
  }

  private change(watched: Watched, text: string, digest: string): void {
    const { name, replace } = watched.variable;
    this.metrics.invalid.set({ variable: name }, 0);
    if (replace === undefined) {
      this.metrics.restart.set({ variable: name }, 1);
      if (watched.reported === digest) return;
      watched.reported = digest;
      this.logger.warn({ variable: name }, 'secret file changed: restart to use it');
      return;
    }
    try {
      replace(text);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.reject(watched, error.problems.join('; '));
      return;
    }
    watched.used = digest;
    this.settle(watched);
    this.metrics.applied(name);
    this.logger.info({ variable: name }, 'secret reloaded');
  }

  /** The file holds the value in use. */
  private settle(watched: Watched): void {
    const variable = watched.variable.name;
    watched.reported = undefined;
    this.metrics.invalid.set({ variable }, 0);
    this.metrics.restart.set({ variable }, 0);
  }

  private reject(watched: Watched, problem: string): void {
    const variable = watched.variable.name;
    this.metrics.invalid.set({ variable }, 1);
    this.metrics.reloads.inc({ variable, outcome: 'rejected' });
    if (watched.reported === problem) return;
    watched.reported = problem;
    this.logger.error({ variable, problem }, 'secret file rejected: the previous value stays');
  }
}

/** Describes a file so that every replacement of it differs; a missing one by its error. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, dev, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, dev, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unavailable';
  }
}

class WatchMetrics {
  readonly reloads: Counter<'variable' | 'outcome'>;
  readonly invalid: Gauge<'variable'>;
  readonly restart: Gauge<'variable'>;
  private readonly loaded: Gauge<'variable'>;

  constructor(registry: Registry, { files, reloadable }: ParsedVariables) {
    const registers = [registry];
    const labelNames = ['variable'] as const;
    this.reloads = new Counter({
      name: 'secret_reloads_total',
      help: 'Changed files of variables that were read again.',
      labelNames: ['variable', 'outcome'],
      registers,
    });
    this.invalid = new Gauge({
      name: 'secret_file_invalid',
      help: '1 while the file of a variable has no valid value, and the previous one is used.',
      labelNames,
      registers,
    });
    this.restart = new Gauge({
      name: 'secret_restart_required',
      help: '1 while the file of a variable has a value that is used after a restart.',
      labelNames,
      registers,
    });
    this.loaded = new Gauge({
      name: 'secret_loaded_timestamp_seconds',
      help: 'Time at which the value in use was read from its file.',
      labelNames,
      registers,
    });
    new Gauge({
      name: 'secret_keys',
      help: 'Keys in use, by their kid; the first one signs or encrypts.',
      labelNames: ['variable', 'kid', 'position'],
      registers,
      collect(): void {
        this.reset();
        for (const { name, keyIds } of reloadable) {
          keyIds().forEach((kid, index) => {
            this.set({ variable: name, kid, position: index === 0 ? 'first' : 'other' }, 1);
          });
        }
      },
    });
    for (const { name: variable } of files) {
      for (const outcome of ['applied', 'rejected']) this.reloads.inc({ variable, outcome }, 0);
      this.invalid.set({ variable }, 0);
      this.restart.set({ variable }, 0);
      this.loaded.set({ variable }, Date.now() / 1_000);
    }
  }

  applied(variable: string): void {
    this.reloads.inc({ variable, outcome: 'applied' });
    this.loaded.set({ variable }, Date.now() / 1_000);
  }
}

/** Watches the files of an environment's variables until the service stops. */
export function watchFiles(env: object, context: ServiceContext, intervalMs: number): void {
  const watch = new FileWatch(parsedVariables(env), context.logger, context.metrics);
  let running: Promise<void> | undefined;
  const poll = (): void => {
    running ??= watch
      .poll()
      .catch((err: unknown) => {
        context.logger.error({ err }, 'could not look at the files of secrets');
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(poll, intervalMs);
  timer.unref();
  context.shutdown.add('telemetry', 'files of secrets', async () => {
    clearInterval(timer);
    await running;
  });
}
