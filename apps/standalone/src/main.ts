import { ConfigurationError } from '@bascule/process';
import { announce } from './announcement.js';
import { Progress } from './progress.js';
import { parseSettings } from './settings.config.js';
import { Stack, StoppedDuringStart } from './stack.js';

const progress = new Progress();

function reasonOf(error: unknown): string {
  if (error instanceof ConfigurationError || process.env['LOG_LEVEL'] === undefined) {
    return error instanceof Error ? error.message : String(error);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function main(): Promise<void> {
  const settings = parseSettings(process.env);
  const stack = new Stack(settings, progress);

  let isLeaving = false;
  const leave = (exitCode: number, why: string): void => {
    if (isLeaving) return;
    isLeaving = true;
    progress.line(`\nStopping (${why}) …`);
    void stack.stop().finally(() => {
      progress.line('Stopped.');
      process.exit(exitCode);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Not once: Ctrl-C comes twice, from the terminal and from npm, and the second must not kill us.
    process.on(signal, () => leave(0, signal));
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => leave(1, reasonOf(error)));
  }

  try {
    progress.line('Starting Bascule …\n');
    announce(progress, settings, await stack.start());
  } catch (error) {
    if (error instanceof StoppedDuringStart) return;
    leave(1, reasonOf(error));
  }
}

await main().catch((error: unknown) => {
  progress.line(reasonOf(error));
  process.exit(1);
});
