import { pauseName } from '@bascule/contracts';
import type { SwitchCommand } from './switch-arguments.js';
import type { SwitchesService } from './switches.service.js';

/** Runs a command and returns the lines to print. */
export async function runSwitchCommand(
  switches: SwitchesService,
  command: SwitchCommand,
): Promise<string[]> {
  switch (command.name) {
    case 'pauses list': {
      const { version, paused } = await switches.state();
      return [
        `version ${version}`,
        ...paused.map((pause) => `${pauseName(pause)}  since ${pause.since}  ${pause.reason}`),
      ];
    }
    case 'pause':
      return changed('paused', command, await switches.pause(command.about, command.reason));
    case 'resume':
      return changed('resumed', command, await switches.resume(command.about));
  }
}

const changed = (
  verb: string,
  { about }: SwitchCommand & { name: 'pause' | 'resume' },
  version: number,
): string[] => [`${verb}: ${pauseName(about)}`, `version ${version}`];
