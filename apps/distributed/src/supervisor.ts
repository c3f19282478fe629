import { mkdirSync } from 'node:fs';
import {
  allReady,
  attesterPorts,
  operationsPorts,
  checkGateway,
  describeStack,
  type Environments,
  fullEnvironments,
  loadSecrets,
  type Progress,
  provisionDatabases,
  refuseBusyPorts,
  removeStackFile,
  type Secrets,
  SERVICE_NAMES,
  serviceEnvironments,
  servicePort,
  type StackFile,
  type Stoppable,
  StoppedDuringStart,
  writeStackFile,
  provideSanctionedFile,
  startPooler,
} from '@bascule/composition';
import {
  firstOrganisation,
  migrateAll,
  startAggregatorsLab,
  startProvidersLab,
} from '@bascule/composition/services';
import { settlesWithin } from '@bascule/process';
import { applyTopics } from './apply-topics.js';
import { Attesters, endOrphanedAttesters } from './attesters.js';
import { ReplicaSet } from './replica-set.js';
import { startServers, type Servers } from './servers.js';
import type { DistributedSettings } from './settings.config.js';

const READY_WITHIN_MS = 120_000;
const START_SETTLES_MS = 5_000;

/** Every service as processes of its own, and the servers they need: what a cluster does, on one machine. */
export class Supervisor {
  private readonly servers: Stoppable[] = [];
  private readonly replicas: ReplicaSet;
  private attesters: Attesters | undefined;
  private starting: Promise<unknown> = Promise.resolve();
  private stopping: Promise<void> | undefined;
  private stack: StackFile | undefined;

  constructor(
    private readonly settings: DistributedSettings,
    private readonly progress: Progress,
  ) {
    this.replicas = new ReplicaSet(settings, () => this.onReplicasChanged());
  }

  start(): Promise<StackFile> {
    const started = this.startAll();
    this.starting = started.catch(() => undefined);
    return started;
  }

  /** Stops services first, then servers. During a start, makes that start fail. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  /** Replaces every process of the services that have several, one after the other, without an interruption. */
  async rollingRestart(): Promise<void> {
    await this.starting;
    const begins = (name: string) => this.progress.line(`Restarting ${name} …`);
    const isDone = await this.replicas.rollingRestart(begins);
    if (isDone) this.progress.line('Every replica has been restarted.');
  }

  private async startAll(): Promise<StackFile> {
    const { settings, progress } = this;
    mkdirSync(settings.paths.stateDirectory, { recursive: true });
    // The balancers' ports are taken first of all, so a second start ends here.
    await this.replicas.listen();
    await Promise.all([this.replicas.endOrphans(), endOrphanedAttesters(settings)]);
    await refuseBusyPorts(this.ports());
    const secrets = loadSecrets(settings.paths.secretsFile);
    provideSanctionedFile(settings.paths.sanctionedFile);
    const servers = await startServers(settings, secrets.postgresPassword, progress, this.servers);
    await startPooler(settings, secrets.rolePassword, progress, this.servers);
    this.servers.push(...(await startProvidersLab(settings, secrets, servers)));
    this.servers.push(...(await startAggregatorsLab(settings, secrets, servers)));
    this.continueUnlessStopping();
    const environments = fullEnvironments(serviceEnvironments(settings, secrets, servers));
    await this.prepare(secrets, servers, environments);
    const keys = await progress.step('organisation', () =>
      firstOrganisation(settings.paths.organisationFile, environments.gateway),
    );
    this.continueUnlessStopping();
    const attesters = new Attesters(settings, servers);
    this.attesters = attesters;
    attesters.start();
    this.replicas.start(environments, servers);
    const stack: StackFile = {
      ...describeStack(settings, servers, keys, secrets),
      kafka: { brokers: servers.brokers },
      redis: { url: servers.redisUrl },
    };
    await progress.step(
      'services',
      async () => {
        await Promise.race([
          allReady([...this.replicas.readiness(), ...attesters.readiness()], READY_WITHIN_MS),
          this.replicas.stopped(),
        ]);
        this.continueUnlessStopping();
        await checkGateway(stack);
      },
      () => `${settings.replicas.length + settings.attesterPorts.length} processes answer`,
    );
    this.continueUnlessStopping();
    return this.publishStackFile(stack);
  }

  /** The steps of a deployment, each repeatable. */
  private async prepare(
    { rolePassword }: Secrets,
    { adminUrl, brokers }: Servers,
    environments: Environments,
  ): Promise<void> {
    const migrate = async () => {
      await provisionDatabases(adminUrl, SERVICE_NAMES, rolePassword);
      await migrateAll(environments);
    };
    await Promise.all([
      this.progress.step('databases', migrate, () => 'migrated'),
      this.progress.step(
        'topics',
        () => applyTopics(brokers),
        () => 'applied',
      ),
    ]);
    this.continueUnlessStopping();
  }

  private ports() {
    const replicas = this.settings.replicas.map(({ service, port, isBalanced }) =>
      isBalanced
        ? { port, wantedBy: service, variable: 'REPLICA_PORTS_FROM' }
        : servicePort(service, port),
    );
    const further = this.settings.replicas
      .filter(({ replica }) => replica > 1)
      .map(({ operationsPort: port }) => ({
        ...{ port, wantedBy: 'health and metrics', variable: 'OPERATIONS_PORTS_FROM' },
      }));
    return [
      ...replicas,
      ...attesterPorts(this.settings),
      ...operationsPorts(this.settings),
      ...further,
    ];
  }

  private publishStackFile(stack: StackFile): StackFile {
    this.stack = { ...stack, services: this.replicas.describe() };
    writeStackFile(this.settings.paths.stackFile, this.stack);
    return this.stack;
  }

  private onReplicasChanged(): void {
    if (this.stack === undefined || this.stopping !== undefined) return;
    const told = JSON.stringify(this.stack.services);
    if (JSON.stringify(this.replicas.describe()) !== told) this.publishStackFile(this.stack);
  }

  private continueUnlessStopping(): void {
    if (this.stopping) throw new StoppedDuringStart();
  }

  private async stopAll(): Promise<void> {
    removeStackFile(this.settings.paths.stackFile);
    await Promise.all([this.replicas.stop(), this.attesters?.stop()]);
    // Wait for processes that are being started, so that they can be stopped.
    await settlesWithin(START_SETTLES_MS, this.starting);
    await this.replicas.close();
    await Promise.allSettled(this.servers.map((server) => server.stop()));
  }
}
