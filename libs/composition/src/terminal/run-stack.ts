import { ConfigurationError } from '@bascule/process';
import type { Progress } from './progress.js';
import { StoppedDuringStart } from './stopped-during-start.js';

export interface RunnableStack {
  start(): Promise<unknown>;
  /** May be called during the start, which then fails. */
  stop(): Promise<void>;
}

/**
 * The whole of a stack's `main.ts`: starts it and stops it on a signal, or when something goes wrong.
 * @param make gets what to call when the stack cannot go on
 */
export async function runStack(
  make: (failed: (reason: unknown) => void) => RunnableStack,
  progress: Progress,
  signals: readonly NodeJS.Signals[],
): Promise<void> {
  let isLeaving = false;
  let stack: RunnableStack | undefined;
  const leave = (exitCode: number, why: string): void => {
    if (isLeaving) return;
    isLeaving = true;
    progress.line(`\nStopping (${why}) …`);
    void (stack?.stop() ?? Promise.resolve()).finally(() => {
      progress.line('Stopped.');
      process.exit(exitCode);
    });
  };
  for (const signal of signals) {
    // Not once(): Ctrl-C arrives from the terminal and from npm.
    process.on(signal, () => leave(0, signal));
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => leave(1, reasonOf(error)));
  }

  try {
    stack = make((reason) => leave(1, reasonOf(reason)));
    progress.line('Starting Bascule …\n');
    await stack.start();
  } catch (error) {
    if (error instanceof StoppedDuringStart) return;
    leave(1, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ConfigurationError || process.env['LOG_LEVEL'] === undefined) {
    return error instanceof Error ? error.message : String(error);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
