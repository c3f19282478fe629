import { settlesWithin } from '@bascule/process';
import type { RunningService } from '@bascule/service-host';
import { EVENT_LOG_SCHEMA, createEventLog } from '@bascule/messaging';
import {
  allReady,
  attesterPorts,
  checkGateway,
  describeStack,
  type Environments,
  fullEnvironments,
  labPorts,
  loadSecrets,
  operationsPorts,
  type LocalServers,
  type Progress,
  provisionDatabases,
  readinessOf,
  refuseBusyPorts,
  removeStackFile,
  type Secrets,
  SERVICE_NAMES,
  serviceEnvironments,
  servicePort,
  type Settings,
  type StackFile,
  startLocalServers,
  startPooler,
  StoppedDuringStart,
  writeStackFile,
  provideSanctionedFile,
} from '@bascule/composition';
import {
  firstOrganisation,
  migrateAll,
  serviceRunners,
  startAttesters,
  startAggregatorsLab,
  startProvidersLab,
} from '@bascule/composition/services';

const SERVICES_STOP_MS = 6_000;
const START_SETTLES_MS = 2_000;

/** The whole embedded stack in this process, and the servers it needs beside it. */
export class Stack {
  private readonly servers: { stop(): Promise<void> }[] = [];
  private readonly services: RunningService[] = [];
  private starting: Promise<unknown> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly progress: Progress,
    private readonly failed: (reason: unknown) => void,
  ) {}

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

  private async startAll(): Promise<StackFile> {
    const { settings, progress } = this;
    await refuseBusyPorts([
      ...SERVICE_NAMES.map((name) => servicePort(name, settings.servicePorts[name])),
      ...attesterPorts(settings),
      ...operationsPorts(settings),
      ...labPorts(settings),
    ]);
    const secrets = loadSecrets(settings.paths.secretsFile);
    provideSanctionedFile(settings.paths.sanctionedFile);
    const servers = await startLocalServers(
      settings,
      secrets.postgresPassword,
      progress,
      this.servers,
    );
    await startPooler(settings, secrets.rolePassword, progress, this.servers);
    this.servers.push(...(await startProvidersLab(settings, secrets, servers)));
    this.servers.push(...(await startAggregatorsLab(settings, secrets, servers)));
    this.continueUnlessStopping();
    const environments = fullEnvironments(serviceEnvironments(settings, secrets, servers));
    await this.startServices(secrets, servers, environments);
    const keys = await progress.step('organisation', () =>
      firstOrganisation(settings.paths.organisationFile, environments.gateway),
    );
    const stack = describeStack(settings, servers, keys, secrets);
    await progress.step(
      'everything',
      async () => {
        await allReady(this.services.map(readinessOf));
        await checkGateway(stack);
      },
      () => 'answers',
    );
    this.continueUnlessStopping();
    writeStackFile(settings.paths.stackFile, stack);
    return stack;
  }

  private async startServices(
    { rolePassword }: Secrets,
    servers: LocalServers,
    environments: Environments,
  ): Promise<void> {
    const { progress, settings } = this;
    const migrate = async () => {
      await createEventLog(servers.adminUrl);
      await provisionDatabases(servers.adminUrl, SERVICE_NAMES, rolePassword, [EVENT_LOG_SCHEMA]);
      await migrateAll(environments);
    };
    await progress.step('databases', migrate, () => 'migrated');
    await progress.step(
      'attesters',
      async () => {
        for (const attester of await startAttesters(settings, servers)) this.keep(attester);
      },
      () => `listening on ports ${settings.attesterPorts.join(', ')}`,
    );
    for (const runner of serviceRunners) {
      this.continueUnlessStopping();
      await progress.step(
        runner.name,
        async () => this.keep(await runner.start(environments[runner.name])),
        () => `listening on port ${settings.servicePorts[runner.name]}`,
      );
    }
  }

  private keep(service: RunningService): void {
    this.services.push(service);
    const { signal } = service.context.failure;
    // As its own process would, the stack ends when a service cannot go on.
    signal.addEventListener('abort', () => this.failed(signal.reason));
  }

  private continueUnlessStopping(): void {
    if (this.stopping) throw new StoppedDuringStart();
  }

  private async stopAll(): Promise<void> {
    removeStackFile(this.settings.paths.stackFile);
    // Wait for parts that are being started, so that they can be stopped.
    await settlesWithin(START_SETTLES_MS, this.starting);
    const services = this.services.map((service) =>
      service.shutdown({ graceMs: 0, deadlineMs: SERVICES_STOP_MS }),
    );
    await Promise.allSettled(services);
    await Promise.allSettled(this.servers.map((server) => server.stop()));
  }
}
