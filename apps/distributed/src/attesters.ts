import {
  ATTESTER_STOPS_MS,
  attesterEnvironments,
  endOrphanedReplica,
  type LocalServers,
  type Readiness,
  Replica,
  serviceProgram,
} from '@bascule/composition';
import type { DistributedSettings } from './settings.config.js';

const STOP_WITHIN_MS = ATTESTER_STOPS_MS + 1_000;

/** Processes that a killed stack has left. */
export async function endOrphanedAttesters({
  attesterPorts,
  paths,
}: DistributedSettings): Promise<void> {
  const left = attesterPorts.map((_, index) => paths.pidFile('attester', index + 1));
  await Promise.all(left.map((pidFile) => endOrphanedReplica(pidFile, STOP_WITHIN_MS)));
}

/** Runs each attester in its own process, since each represents an independent operator. */
export class Attesters {
  private readonly processes: readonly Replica<'attester'>[];

  constructor(settings: DistributedSettings, servers: LocalServers) {
    const { attesterPorts, operationsPorts, paths } = settings;
    const environments = attesterEnvironments(settings, servers);
    this.processes = attesterPorts.map((port, index) => {
      const replica = index + 1;
      return new Replica({
        service: 'attester',
        replica,
        port,
        operationsPort: operationsPorts.attesters[index] ?? 0,
        isBalanced: false,
        program: serviceProgram('attester'),
        environment: environments[index] ?? {},
        logFile: paths.logFile('attester', replica),
        pidFile: paths.pidFile('attester', replica),
        stopWithinMs: STOP_WITHIN_MS,
        changed: () => undefined,
      });
    });
  }

  start(): void {
    for (const attester of this.processes) attester.start();
  }

  readiness(): Readiness[] {
    return this.processes.map((attester) => ({
      name: attester.name,
      state: () => attester.state,
    }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((attester) => attester.stop()));
  }
}
