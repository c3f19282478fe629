import { announce } from '../announcement.js';
import { Progress } from '../progress.js';
import { runStack } from '../run-stack.js';
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
