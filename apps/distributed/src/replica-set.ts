import {
  endOrphanedReplica,
  type Environments,
  type Readiness,
  Replica,
  servicePort,
  serviceProgram,
  type StackService,
} from '@bascule/composition';
import { Balancer } from './balancer.js';
import { replicaEnvironment, STOP_WITHIN_MS } from './replica-environment.js';
import { balancedServices } from './replica-plan.js';
import type { Servers } from './servers.js';
import type { DistributedSettings } from './settings.config.js';

/** The processes of all services, and a balancer for each service that has several. */
export class ReplicaSet {
  private replicas: Replica[] = [];
  private readonly balancers: Balancer[];
  private readonly stopping = new AbortController();
  private rolling: Promise<boolean> = Promise.resolve(true);

  constructor(
    private readonly settings: DistributedSettings,
    private readonly changed: () => void,
  ) {
    this.balancers = balancedServices(settings.replicas).map((service) => {
      const { port, variable } = servicePort(service, settings.servicePorts[service]);
      const targets = () => this.of(service).filter(({ isReady }) => isReady);
      return new Balancer({ service, port, variable, targets });
    });
  }

  async listen(): Promise<void> {
    for (const balancer of this.balancers) await balancer.listen();
  }

  /** Processes of a supervisor that was killed. */
  async endOrphans(): Promise<void> {
    const { replicas, paths } = this.settings;
    const left = replicas.map(({ service, replica }) => paths.pidFile(service, replica));
    await Promise.all(left.map((pidFile) => endOrphanedReplica(pidFile, STOP_WITHIN_MS)));
  }

  start(environments: Environments, servers: Servers): void {
    const { settings, changed } = this;
    const { paths } = settings;
    this.replicas = settings.replicas.map((plan) => {
      const { service, replica } = plan;
      const count = settings.replicas.filter((other) => other.service === service).length;
      const own = replicaEnvironment(plan, count, servers);
      return new Replica({
        ...plan,
        program: serviceProgram(service),
        environment: { ...environments[service], ...own },
        logFile: paths.logFile(service, replica),
        pidFile: paths.pidFile(service, replica),
        stopWithinMs: STOP_WITHIN_MS,
        changed,
      });
    });
    for (const replica of this.replicas) replica.start();
  }

  readiness(): Readiness[] {
    return this.replicas.map((replica) => ({ name: replica.name, state: () => replica.state }));
  }

  describe(): StackService[] {
    return this.replicas.map(({ pid, options }) => ({
      name: options.service,
      replica: options.replica,
      pid: pid ?? null,
      port: options.port,
      operations_port: options.operationsPort,
      log_file: options.logFile,
    }));
  }

  /**
   * Restarts one process at a time, while the others of its service are ready. Concurrent calls run one after another.
   * @returns whether all were restarted before the stack was asked to stop
   */
  rollingRestart(begins: (name: string) => void): Promise<boolean> {
    const restart = async (): Promise<boolean> => {
      for (const replica of this.replicas.filter(({ options }) => options.isBalanced)) {
        await Promise.all(this.of(replica.options.service).map((each) => each.ready()));
        begins(replica.name);
        await replica.restart();
      }
      return true;
    };
    this.rolling = this.rolling
      .catch(() => false)
      .then(restart)
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) throw error;
        return false;
      });
    return this.rolling;
  }

  /** Rejects when the processes are being stopped. */
  stopped(): Promise<never> {
    const { signal } = this.stopping;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopping')), { once: true });
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.replicas.map((replica) => replica.stop()));
  }

  async close(): Promise<void> {
    await Promise.all(this.balancers.map((balancer) => balancer.close()));
  }

  private of(service: string): Replica[] {
    return this.replicas.filter(({ options }) => options.service === service);
  }
}
