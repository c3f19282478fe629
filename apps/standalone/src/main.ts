import { announce, parseSettings, Progress, runStack } from '@bascule/composition';
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
