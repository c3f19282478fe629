import type { RunningService } from '@bascule/http';
import { setTimeout as delay } from 'node:timers/promises';
import { provisionDatabases } from './databases.js';
import { firstOrganisation } from './first-organisation.js';
import { startLocalServers, type LocalServers } from './local-servers.js';
import { members } from './members.js';
import { refuseBusyPorts } from './ports.js';
import type { Progress } from './progress.js';
import { allReady, answers } from './readiness.js';
import { loadSecrets, type Secrets } from './secrets.js';
import { serviceEnvironments } from './service-environments.js';
import { SERVICE_NAMES, type ServiceName, type Settings } from './settings.config.js';
import { removeStackFile, writeStackFile, type StackFile } from './stack-file.js';
import { describeStack } from './stack-description.js';

const SERVICES_STOP_MS = 6_000;
const START_SETTLES_MS = 2_000;

type Environments = Record<ServiceName, NodeJS.ProcessEnv>;

/** The whole embedded stack in this process, and the servers it needs beside it. */
export class Stack {
  private readonly servers: { stop(): Promise<void> }[] = [];
  private readonly services: RunningService[] = [];
  private starting: Promise<unknown> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly progress: Progress,
  ) {}

  start(): Promise<StackFile> {
    const started = this.startAll();
    this.starting = started.catch(() => undefined);
    return started;
  }

  /** Services first, then what they stand on. May be called during the start, which then fails. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async startAll(): Promise<StackFile> {
    const { settings, progress } = this;
    await refuseBusyPorts(settings);
    const secrets = loadSecrets(settings.places.secretsFile);
    const servers = await startLocalServers(
      settings,
      secrets.postgresPassword,
      progress,
      this.servers,
    );
    this.continueUnlessStopping();
    const environments = this.environments(secrets, servers);
    await this.startServices(secrets, servers, environments);
    const keys = await progress.step('organisation', () =>
      firstOrganisation(settings.places.organisationFile, environments.gateway),
    );
    const stack = describeStack(settings, servers, keys);
    await progress.step(
      'everything',
      async () => {
        await allReady(this.services);
        await answers(stack);
      },
      () => 'answers',
    );
    this.continueUnlessStopping();
    writeStackFile(settings.places.stackFile, stack);
    return stack;
  }

  private environments(secrets: Secrets, servers: LocalServers): Environments {
    const own = serviceEnvironments(this.settings, secrets, servers);
    // Whatever else a service reads can be set for the whole stack.
    const entries = SERVICE_NAMES.map((name) => [name, { ...process.env, ...own[name] }] as const);
    return Object.fromEntries(entries) as Environments;
  }

  private async startServices(
    { rolePassword }: Secrets,
    { adminUrl }: LocalServers,
    environments: Environments,
  ): Promise<void> {
    const { progress, settings } = this;
    const migrate = async () => {
      await provisionDatabases(adminUrl, SERVICE_NAMES, rolePassword);
      await Promise.all(members.map((member) => member.migrate(environments[member.name])));
    };
    await progress.step('databases', migrate, () => 'migrated');
    for (const member of members) {
      this.continueUnlessStopping();
      await progress.step(
        member.name,
        async () => this.services.push(await member.start(environments[member.name])),
        () => `listening on port ${settings.servicePorts[member.name]}`,
      );
    }
  }

  private continueUnlessStopping(): void {
    if (this.stopping) throw new StoppedDuringStart();
  }

  private async stopAll(): Promise<void> {
    removeStackFile(this.settings.places.stackFile);
    // What is being started just now has to be known before it can be stopped.
    await Promise.race([this.starting, delay(START_SETTLES_MS)]);
    const services = this.services.map((service) =>
      service.shutdown({ graceMs: 0, deadlineMs: SERVICES_STOP_MS }),
    );
    await Promise.allSettled(services);
    await Promise.allSettled(this.servers.map((server) => server.stop()));
  }
}

export class StoppedDuringStart extends Error {
  constructor() {
    super('stopped while starting');
  }
}
