import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chains, chainDefinitions } from '@bascule/chain';
import type { Chain, ChainDefinition } from '@bascule/chain';
import { freePort, startAnvil } from '@bascule/local-stack';
import { createDataSource, provisionSchema, runMigrationsOf } from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { createTestDatabase } from '@bascule/testing';
import type { DataSource } from 'typeorm';
import { createTestClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Hex } from 'viem';
import { AttemptLog } from '../attempt-log.js';
import type { AttemptFact } from '../attempt-log.js';
import { Broadcaster } from '../broadcaster.js';
import { transactionEntities, transactionMigrations } from '../index.js';
import { KeyChoice } from '../key-choice.js';
import { Replacer } from '../replacer.js';
import { Reservations } from '../reservations.js';
import type { HoldCheck } from '../reservations.js';
import { SignerWorker } from '../signer-worker.js';
import { Signers } from '../signers.js';
import type { SignerConfig } from '../signers.js';
import { Signing } from '../signing.js';
import type { SettlementHandler, TransactionOutcome } from '../transaction-outcome.js';
import { TransactionMetrics } from '../transaction-metrics.js';
import { TransactionSender } from '../transaction-sender.js';
import type { TransactionRequest } from '../transaction-sender.js';
import { TransactionWorker } from '../transaction-worker.js';
import { WaitingMetrics } from '../waiting-metrics.js';

const SCHEMA = 'sending';
/** Connections of a replica. */
export const POOL_SIZE = 8;

async function startDatabase() {
  const test = await createTestDatabase();
  const role = `sending_${Math.random().toString(36).slice(2, 10)}`;
  await provisionSchema(test.adminUrl, { schema: SCHEMA, role, password: 'x' });
  const url = new URL(test.adminUrl);
  url.username = role;
  url.password = 'x';
  const database: DatabaseConfig = {
    url: url.href,
    directUrl: url.href,
    poolSize: POOL_SIZE,
    schema: SCHEMA,
  };
  const options = { database, entities: transactionEntities, migrations: transactionMigrations };
  await runMigrationsOf(options);
  return { options, drop: () => test.drop() };
}

const testClientOf = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions);

/** A real chain and a real database, on which replicas of a sending service are started and dropped. */
export class Bench {
  private readonly running = new Set<Replica>();

  private constructor(
    readonly chain: Chain,
    readonly chains: Chains,
    readonly node: ReturnType<typeof testClientOf>,
    readonly rpcUrl: string,
    private readonly database: Awaited<ReturnType<typeof startDatabase>>,
    private readonly stopChain: () => Promise<void>,
  ) {}

  static async start(): Promise<Bench> {
    const directory = await mkdtemp(join(tmpdir(), 'bascule-transactions-'));
    const definition = chainDefinitions['alphanet'];
    if (!definition) throw new Error('alphanet is not defined');
    const anvil = await startAnvil({
      name: 'alphanet',
      chainId: definition.chainId,
      port: await freePort(),
      stateFile: join(directory, 'alphanet.json'),
    });
    const chains = new Chains({ chains: [{ definition, rpcUrls: [anvil.rpcUrl] }] });
    const node = testClientOf(anvil.rpcUrl);
    const stopChain = async () => {
      await anvil.stop();
      await rm(directory, { recursive: true, force: true });
    };
    const database = await startDatabase();
    return new Bench(chains.get('alphanet'), chains, node, anvil.rpcUrl, database, stopChain);
  }

  async stop(): Promise<void> {
    await this.stopChain();
    await this.database.drop();
  }

  /** Stops these replicas; all that still run by default. */
  async stopReplicas(...replicas: readonly Replica[]): Promise<void> {
    const stopped = replicas.length > 0 ? replicas : [...this.running];
    for (const replica of stopped) this.running.delete(replica);
    await Promise.all(stopped.map((replica) => replica.stop()));
  }

  /** A key of its own that can pay for gas, so that tests do not meet in one nonce. */
  async fundedKey(): Promise<PrivateKeyAccount & { privateKey: `0x${string}` }> {
    const privateKey = generatePrivateKey();
    const account = privateKeyToAccount(privateKey);
    await this.node.setBalance({ address: account.address, value: 10n ** 18n });
    return { ...account, privateKey };
  }

  /** Starts a chain that mines only on request. */
  async stopMining(): Promise<void> {
    await this.node.setIntervalMining({ interval: 0 });
    await this.node.setAutomine(false);
  }

  async resumeMining(): Promise<void> {
    await this.node.setAutomine(true);
    await this.node.setIntervalMining({ interval: 1 });
  }

  /** Database and chain, with which another process starts a replica. */
  get plan(): ProcessPlan {
    return { database: this.database.options.database, rpcUrl: this.rpcUrl };
  }

  /**
   * @param keys a private key, or several accounts
   * @param definition overrides of the replica's chain definition
   * @param rpcUrls of other nodes than the chain's own
   * @param privateRpcUrls endpoints that show transactions to nobody before their block
   * @param betanetKey key of a second chain, which is the bench's own by another name
   */
  async replica(
    keys: Hex | SignerConfig,
    {
      definition,
      rpcUrls = [this.rpcUrl],
      privateRpcUrls = [],
      betanetKey,
      ...options
    }: Partial<ReplicaOptions> & OtherView = {},
  ): Promise<Replica> {
    const own = this.chain.definition;
    const betanet = { definition: { ...own, name: 'betanet' }, rpcUrls: [this.rpcUrl] };
    const seen = [
      { definition: { ...own, ...definition }, rpcUrls, privateRpcUrls },
      ...(betanetKey === undefined ? [] : [betanet]),
    ];
    const chains = new Chains({ chains: seen });
    const replica = await Replica.start(chains, createDataSource(this.database.options), {
      signer: typeof keys === 'string' ? { keys: [privateKeyToAccount(keys)] } : keys,
      ...(betanetKey && { betanet: { keys: [privateKeyToAccount(betanetKey)] } }),
      ...DEFAULTS,
      ...options,
    });
    this.running.add(replica);
    return replica;
  }
}

/** Database and chain of a stage, as text. */
export interface ProcessPlan {
  database: DatabaseConfig;
  rpcUrl: string;
}

/** Transaction that a process of its own records and sends. */
export interface SendingPlan extends ProcessPlan {
  privateKey: Hex;
  reference: string;
  to: Hex;
  /** Crashes before the commit. */
  isUncommitted: boolean;
}

/** Starts a replica with a local key on the stage of another process. */
export function replicaOf({ database, rpcUrl }: ProcessPlan, privateKey: Hex): Promise<Replica> {
  const definition = chainDefinitions['alphanet'];
  if (!definition) throw new Error('alphanet is not defined');
  const chains = new Chains({ chains: [{ definition, rpcUrls: [rpcUrl] }] });
  const options = { database, entities: transactionEntities, migrations: transactionMigrations };
  return Replica.start(chains, createDataSource(options), {
    signer: { keys: [privateKeyToAccount(privateKey)] },
    ...DEFAULTS,
  });
}

const DEFAULTS = {
  replaceAfterMs: 60_000,
  maxGas: 10_000_000n,
  signerCheckMs: 60_000,
  signTimeoutMs: 5_000,
  settled: () => Promise.resolve(),
};

interface OtherView {
  definition?: Partial<ChainDefinition>;
  rpcUrls?: readonly string[];
  privateRpcUrls?: readonly string[];
  betanetKey?: Hex;
}

interface ReplicaOptions {
  signer: SignerConfig;
  betanet?: SignerConfig;
  replaceAfterMs: number;
  privateForMs?: number;
  maxGas: bigint;
  signerCheckMs: number;
  signTimeoutMs: number;
  deadlineMs?: number;
  settled: SettlementHandler;
  isHeld?: HoldCheck;
}

/** One process of the service, as far as it sends. */
export class Replica {
  readonly outcomes: { reference: string; outcome: TransactionOutcome }[] = [];
  private readonly facts: AttemptFact[] = [];

  private constructor(
    readonly dataSource: DataSource,
    readonly sender: TransactionSender,
    readonly worker: TransactionWorker,
    readonly metrics: TransactionMetrics,
    readonly registry: ServiceContext['metrics'],
    private readonly signerWorker: SignerWorker,
  ) {}

  static async start(
    chains: Chains,
    dataSource: DataSource,
    { signer, betanet, settled, isHeld, ...rest }: ReplicaOptions,
  ): Promise<Replica> {
    await dataSource.initialize();
    const context = new ServiceContext({ name: 'sending', environment: 'test', logLevel: 'fatal' });
    const options = { ...rest, pollMs: 50 };
    const signers = new Signers({ alphanet: signer, ...(betanet && { betanet }) });
    const metrics = new TransactionMetrics(context, chains);
    new WaitingMetrics(dataSource, signers, context);
    const attempts = new AttemptLog(dataSource);
    const broadcaster = new Broadcaster(attempts, context, metrics);
    const signing = new Signing(signers, context, metrics, options);
    const reservations = new Reservations(dataSource, signing, context, options);
    if (isHeld) reservations.holdWhile(isHeld);
    const replacer = new Replacer(attempts, signing, broadcaster, context, metrics);
    const worker = new TransactionWorker(
      dataSource,
      chains,
      signers,
      attempts,
      reservations,
      broadcaster,
      replacer,
      context,
      metrics,
      options,
    );
    const signerWorker = new SignerWorker(dataSource, chains, signers, worker, context, options);
    const sender = new TransactionSender(
      dataSource,
      chains,
      signers,
      new KeyChoice(signers, signing),
      reservations,
      broadcaster,
      context,
      metrics,
      options,
    );
    const replica = new Replica(dataSource, sender, worker, metrics, context.metrics, signerWorker);
    attempts.onAttempt(async (_, fact) => {
      replica.facts.push(fact);
    });
    worker.onSettled(async (reference, outcome) => {
      replica.outcomes.push({ reference, outcome });
      await settled(reference, outcome);
    });
    return replica;
  }

  /** Records a transaction without another change. */
  record(request: TransactionRequest): Promise<void> {
    return this.sender.record(request, (_manager, reserve) => reserve());
  }

  /** Returns the reported outcomes of one transaction; other tests share the database. */
  of(reference: string): TransactionOutcome[] {
    return this.outcomes
      .filter((reported) => reported.reference === reference)
      .map(({ outcome }) => outcome);
  }

  /** Returns the facts about one transaction before its outcome. */
  factsOf(reference: string): AttemptFact[] {
    return this.facts.filter((fact) => fact.reference === reference);
  }

  work(): this {
    this.worker.onApplicationBootstrap();
    this.signerWorker.onApplicationBootstrap();
    return this;
  }

  async stop(): Promise<void> {
    await Promise.all([this.worker.stop(), this.signerWorker.stop()]);
    await this.dataSource.destroy();
  }
}
