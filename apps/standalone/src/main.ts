import { announce } from './announcement.js';
import { Progress } from './progress.js';
import { runStack } from './run-stack.js';
import { parseSettings } from './settings.config.js';
import { Stack } from './stack.js';

const progress = new Progress();

await runStack(
  (failed) => {
    const settings = parseSettings(process.env);
    const stack = new Stack(settings, progress, failed);
    return {
      start: async () => announce(progress, settings, await stack.start()),
      stop: () => stack.stop(),
    };
  },
  progress,
  ['SIGTERM', 'SIGINT', 'SIGHUP'],
);
