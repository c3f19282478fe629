import { announce, Progress, runStack } from '@bascule/composition';
import { parseDistributedSettings } from './settings.config.js';
import { Supervisor } from './supervisor.js';

const progress = new Progress();

await runStack(
  () => {
    const settings = parseDistributedSettings(process.env);
    const supervisor = new Supervisor(settings, progress);
    process.on('SIGHUP', () => void supervisor.rollingRestart());
    return {
      start: async () => announce(progress, settings, await supervisor.start()),
      stop: () => supervisor.stop(),
    };
  },
  progress,
  ['SIGTERM', 'SIGINT'],
);
