import { isPortFree, PortInUseError } from '@bascule/local-stack';
import type { Settings } from './settings.config.js';

/**
 * Before anything is started; Postgres and the chains look themselves, as theirs may be in use by what they adopt.
 * @throws Error naming every busy port and the variable that moves it
 */
export async function refuseBusyPorts({ servicePorts }: Settings): Promise<void> {
  const problems: string[] = [];
  for (const [service, port] of Object.entries(servicePorts)) {
    if (await isPortFree(port)) continue;
    const variable = `${service.toUpperCase().replaceAll('-', '_')}_PORT`;
    problems.push(new PortInUseError(port, service, variable).message);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
