import { isPortFree, PortInUseError } from '@bascule/local-stack';
import type { Settings } from '../settings/settings.config.js';

export interface RequiredPort {
  port: number;
  wantedBy: string;
  /** The variable that moves it. */
  variable: string;
}

export const servicePort = (service: string, port: number): RequiredPort => ({
  port,
  wantedBy: service,
  variable: `${service.toUpperCase().replaceAll('-', '_')}_PORT`,
});

/** Ports for health and metrics of all services and attesters. */
export const operationsPorts = ({
  operationsPorts: { services, attesters },
}: Settings): RequiredPort[] =>
  [...Object.values(services), ...attesters].map((port) => ({
    port,
    wantedBy: 'health and metrics',
    variable: 'OPERATIONS_PORTS_FROM',
  }));

export const attesterPorts = (settings: Settings): RequiredPort[] =>
  settings.attesterPorts.map((port, index) => servicePort(`attester-${index + 1}`, port));

/** Ports of the simulated parties that run. */
export const labPorts = (settings: Settings): RequiredPort[] =>
  Object.entries({
    ...settings.labPorts,
    zerox: settings.aggregatorPorts['zero-x'],
    lifi: settings.aggregatorPorts.lifi,
  }).flatMap(([name, port]) => (port === undefined ? [] : servicePort(`${name}-lab`, port)));

/**
 * Before anything is started; servers look themselves, as their ports may be in use by what they adopt.
 * @throws Error naming every busy port and the variable that moves it
 */
export async function refuseBusyPorts(ports: readonly RequiredPort[]): Promise<void> {
  const problems: string[] = [];
  for (const { port, wantedBy, variable } of ports) {
    if (await isPortFree(port)) continue;
    problems.push(new PortInUseError(port, wantedBy, variable).message);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
