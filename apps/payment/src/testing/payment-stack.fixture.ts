import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chainDefinitions, Chains, parseChainsConfig } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier, tokenIdentifier, TOPICS } from '@bascule/contracts';
import type {
  CustomActions,
  PlannedFunding,
  PlannedLeg,
  Quote,
  QuoteRequest,
  TokenIdentifier,
} from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { startService } from '@bascule/service-host';
import type { RunningService } from '@bascule/service-host';
import { developmentAccounts } from '@bascule/local-stack';
import { contractAddresses, developmentAddresses } from '@bascule/solidity';
import {
  createServiceDatabase,
  eventually,
  internalTokens,
  runSql,
  startTestChain,
} from '@bascule/testing';
import type { InternalTokens, ServiceDatabase, TestChain } from '@bascule/testing';
import { bestQuote, createVenues } from '@bascule/venues';
import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Address, Hash } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { paymentTerms } from '../confirm/payment-terms.js';
import { paymentService } from '../index.js';
import { newPayment } from '../life-cycle/payment-record.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PaymentAcceptanceRepository } from '../persistence/payment-acceptance.repository.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import {
  aQuote,
  aQuoteRequest,
  aQuoteState,
  FEE_RECEIVER,
  USDC,
  USDT,
  WETH,
} from './a-quote.fixture.js';
import { ChainUnderTest } from './chain-under-test.fixture.js';
import { fastPaymentService } from './fast-service.fixture.js';
import { SimulatedSolver } from './simulated-solver.fixture.js';

export const NATIVE: TokenIdentifier = 'alphanet:0x';
const [, , operator] = developmentAccounts;

const freshAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address;

/** Request for a test's payment. */
export interface PaymentWish {
  input: TokenIdentifier;
  output: TokenIdentifier;
  /** Smallest units of the input, fees included. */
  amount: bigint;
  fee?: bigint;
  /** Default: the pools' current output less half a percent. */
  minOutput?: bigint;
  maxInput?: bigint;
  expirationSeconds?: number;
  owner?: Address;
  useIntentRefund?: boolean;
  /** Default: tokens. */
  funding?: PlannedFunding;
  customActions?: CustomActions;
  /** Gas limit of the leg; only with custom actions. */
  gasLimit?: bigint;
  /** Wei that the leg's network fee repays, for 200,000 gas. */
  gasCost?: bigint;
  /** From the funding deadline to the end of the declaration; default: an hour. */
  executionWindowMs?: number;
}

/** The whole payment service on a real database and real chains with everything deployed. */
export class PaymentStack {
  private readonly services = new Set<RunningService>();

  private constructor(
    private readonly chains: ReadonlyMap<string, ChainUnderTest>,
    readonly alphanet: ChainUnderTest,
    readonly database: ServiceDatabase,
    readonly solver: SimulatedSolver,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly tokens: InternalTokens,
  ) {}

  /**
   * @param overrides variables, or a function of the endpoint of `alphanet`
   * @param names other chains beside `alphanet` for payments that cross
   */
  static async start(
    overrides: NodeJS.ProcessEnv | ((rpcUrl: string) => Promise<NodeJS.ProcessEnv>) = {},
    names: readonly string[] = ['alphanet'],
  ): Promise<PaymentStack> {
    const [running, database, solver] = await Promise.all([
      Promise.all(
        names.map((name) => startTestChain({ name, chainId: chainDefinitions[name]?.chainId })),
      ),
      createServiceDatabase('payment'),
      SimulatedSolver.start(),
    ]);
    const tokens = internalTokens();
    const environment = {
      ...serviceEnvironment(names, running, database),
      ...tokens.env,
      BRIDGES: JSON.stringify([
        {
          name: 'intent_escrow',
          adapter: 'intent-escrow',
          solver_url: solver.url,
          api_key: 'test',
        },
      ]),
      ...(typeof overrides === 'function' ? await overrides(running[0]?.rpcUrl ?? '') : overrides),
    };
    const known = new Chains(parseChainsConfig(environment));
    const chains = new Map(
      running.map((chain, index) => {
        const name = names[index] ?? '';
        return [name, new ChainUnderTest(known.get(name), chain)] as const;
      }),
    );
    const alphanet = chains.get('alphanet');
    if (!alphanet) throw new Error('deposits come on alphanet');
    await paymentService.migrate?.(paymentService.parseConfig(environment));
    await runSql(database.adminUrl, listAssets(names));
    return new PaymentStack(chains, alphanet, database, solver, environment, tokens);
  }

  get chain(): Chain {
    return this.alphanet.chain;
  }

  get node(): ChainUnderTest['node'] {
    return this.alphanet.node;
  }

  async stop(): Promise<void> {
    await this.stopServices();
    await this.solver.stop();
    await Promise.all([...this.chains.values()].map((chain) => chain.stop()));
    await this.database.drop();
  }

  /** Lists or delists a token, as the catalogue's event does. */
  list(token: TokenIdentifier, isListed: boolean): Promise<unknown> {
    return runSql(
      this.database.adminUrl,
      `UPDATE payment.assets SET listed = ${isListed} WHERE id = '${token}'`,
    );
  }

  /** Starts a process of the service. */
  async startProcess(
    overrides: NodeJS.ProcessEnv = {},
    definition = fastPaymentService,
  ): Promise<RunningService> {
    const service = await startService(definition, { ...this.environment, ...overrides });
    this.services.add(service);
    return service;
  }

  async stopProcess(service: RunningService): Promise<void> {
    this.services.delete(service);
    await service.shutdown({ graceMs: 0, deadlineMs: 8_000 });
  }

  async stopServices(): Promise<void> {
    await Promise.all([...this.services].map((service) => this.stopProcess(service)));
  }

  /** Expires the leases of a stopped process. */
  async letLeasesRunOut(): Promise<void> {
    await this.sql(`UPDATE leases SET expires_at = now()`);
    for (const table of ['legs', 'chain_transactions']) {
      await this.sql(`UPDATE ${table} SET due_at = now() WHERE due_at > now()`);
    }
  }

  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.rows<Row>(text, values);
  }

  /** Posts to a process through HTTP, as the gateway forwards a caller's request. */
  async post<Body>(
    service: RunningService,
    path: string,
    body: unknown,
    caller: Partial<Caller>,
  ): Promise<Body> {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: {
        [INTERNAL_TOKEN_HEADER]: await this.tokens.token(caller),
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Body;
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A confirmed payment; any process accepts it. */
  async confirm(service: RunningService, wish: PaymentWish): Promise<PaymentRecord> {
    const leg = await this.plannedLeg(wish);
    return this.confirmPlan(service, [leg], wish);
  }

  /** A confirmed payment whose plan is known. */
  async confirmPlan(
    service: RunningService,
    legs: PlannedLeg[],
    wish: Omit<PaymentWish, 'output'>,
    quote: Quote = aQuote(uuidv7()),
  ): Promise<PaymentRecord> {
    const { input, amount, owner, expirationSeconds, funding } = wish;
    const plan = {
      funding: funding ?? ({ kind: 'token' } as const),
      deposit: { token: input, required_amount: amount.toString() },
      legs,
    };
    const terms = paymentTerms(
      {
        state: aQuoteState({
          quote_request: requestWith(wish.useIntentRefund ?? false, wish.customActions),
        }),
        quote,
        plan,
        ownerAddress: owner ?? freshAddress(),
        destinationAddress: freshAddress(),
        ownerChain: undefined,
        ownerChains: null,
        isUnsafeOwnerAllowed: false,
        expirationMinutes: (expirationSeconds ?? 600) / 60,
        clientRedirectUrl: undefined,
        clientRedirectAfter: undefined,
      },
      {
        factory: contractAddresses.oneTimeWalletFactory,
        executor: developmentAddresses.executor,
        chainIdOf: (name) => this.on(`${name}:0x`).chain.chainId,
        executionWindowMs: () => wish.executionWindowMs ?? 3_600_000,
        decimals,
      },
      new Date(),
    );
    const payment = newPayment(terms, uuidv7);
    await service.app.get(PaymentAcceptanceRepository).accept(payment);
    return payment;
  }

  /** Waits until a payment has these fields. */
  expectToBecome(
    { id }: PaymentRecord,
    expected: object,
    { timeoutMs = 60_000 } = {},
  ): Promise<PaymentRecord> {
    return eventually(
      async () => {
        const now = await this.read(id);
        expect(now).toMatchObject(expected);
        return now;
      },
      { timeoutMs },
    );
  }

  async read(paymentId: string): Promise<PaymentRecord> {
    const [service] = this.services;
    if (!service) throw new Error('no process runs');
    const found = await service.app.get(PaymentReaderRepository).find(paymentId);
    if (!found) throw new Error(`payment ${paymentId} not found`);
    return found.payment;
  }

  private async plannedLeg(wish: PaymentWish): Promise<PlannedLeg> {
    const fee = wish.fee ?? 0n;
    const amountIn = wish.amount - fee;
    const quoted = await this.quote(wish.input, wish.output, amountIn);
    return {
      chain: 'alphanet',
      input_token: wish.input,
      input_amount: wish.amount.toString(),
      max_input: (wish.maxInput ?? wish.amount).toString(),
      fees: fee === 0n ? [] : [{ kind: 'network', receiver: FEE_RECEIVER, amount: fee.toString() }],
      output_token: wish.output,
      output_amount: quoted.toString(),
      min_output: (wish.minOutput ?? (quoted * 995n) / 1000n).toString(),
      ...(wish.gasLimit !== undefined && { gas_limit: wish.gasLimit.toString() }),
      ...(wish.gasCost !== undefined && { gas: '200000', gas_cost: wish.gasCost.toString() }),
    };
  }

  async quote(input: TokenIdentifier, output: TokenIdentifier, amountIn: bigint): Promise<bigint> {
    if (input === output) return amountIn;
    const quote = await bestQuote(createVenues(), this.on(input).chain.anyNode, {
      inputToken: parseTokenIdentifier(input).address,
      outputToken: parseTokenIdentifier(output).address,
      amountIn,
    });
    if (!quote) throw new Error(`no route from ${input} to ${output}`);
    return quote.amountOut;
  }

  /** Chain of a token. */
  on(token: TokenIdentifier): ChainUnderTest {
    const chain = this.chains.get(parseTokenIdentifier(token).chain);
    if (!chain) throw new Error(`${token} is on a chain that does not run`);
    return chain;
  }

  balance(token: TokenIdentifier, holder: string): Promise<bigint> {
    return this.on(token).balance(token, holder);
  }

  /** Sends from the faucet, and waits until the transaction is mined. */
  send(token: TokenIdentifier, to: string, amount: bigint): Promise<Hash> {
    return this.on(token).send(token, to, amount);
  }

  stopMining(): Promise<void> {
    return this.alphanet.stopMining();
  }

  resumeMining(): Promise<void> {
    return this.alphanet.resumeMining();
  }

  reorganise(depth: number): Promise<void> {
    return this.alphanet.reorganise(depth);
  }

  wallet(account: PrivateKeyAccount) {
    return this.alphanet.wallet(account);
  }
}

function requestWith(
  use_intent_refund: boolean,
  custom_actions: CustomActions | undefined,
): QuoteRequest {
  const { request, ...rest } = aQuoteRequest();
  return {
    ...rest,
    use_intent_refund,
    request: { ...request, ...(custom_actions && { custom_actions }) },
  };
}

function serviceEnvironment(
  names: readonly string[],
  chains: readonly TestChain[],
  { database }: ServiceDatabase,
): NodeJS.ProcessEnv {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const endpoints = names.flatMap((name, index) => [
    [`RPC_URLS_${name.toUpperCase()}`, chains[index]?.rpcUrl] as const,
    [`CONFIRMATIONS_${name.toUpperCase()}`, '1'] as const,
  ]);
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ENVIRONMENT: 'test',
    DATABASE_URL: database.url,
    CHAINS: names.join(','),
    ...Object.fromEntries(endpoints),
    STATE_TOKEN_KEYS: JSON.stringify([{ kid: 'test', k: randomBytes(32).toString('base64url') }]),
    PROVIDERS: '[]',
    BRIDGE_POLL_MS: '300',
    // Prices are observed once, when the stack starts.
    PRICE_MAX_AGE_MS: '3600000',
    EXECUTOR_PRIVATE_KEY: operator.privateKey,
    FUNDING_TOKEN_PRIVATE_KEY: JSON.stringify({ ...key, kid: 'test' }),
    FUNDING_PAGE_BASE: 'http://127.0.0.1:8080',
  };
}

const SYMBOLS = [
  { token: USDC, decimals: 6, usd: 1 },
  { token: USDT, decimals: 6, usd: 1 },
  { token: WETH, decimals: 18, usd: 3000 },
  { token: NATIVE, decimals: 18, usd: 3000 },
];

/** The same token on another chain: the development stack has them at the same addresses. */
export const onChain = (name: string, token: TokenIdentifier): TokenIdentifier =>
  tokenIdentifier(name, parseTokenIdentifier(token).address);

const decimals: Record<TokenIdentifier, number> = Object.fromEntries(
  ['alphanet', 'betanet', 'deltanet'].flatMap((name) =>
    SYMBOLS.map(({ token, decimals: places }) => [onChain(name, token), places]),
  ),
);

const listAssets = (names: readonly string[]): string =>
  [
    ...names.flatMap((name) =>
      SYMBOLS.map((asset) => {
        const id = onChain(name, asset.token);
        return `INSERT INTO payment.assets (id, version, chain, decimals, asset, listed)
            VALUES ('${id}', 1, '${name}', ${asset.decimals}, '{}', true);
          INSERT INTO payment.prices (asset, version, usd, observed_at)
            VALUES ('${id}', 1, ${asset.usd}, now());`;
      }),
    ),
    // The first build of a projection would remove rows without events.
    `INSERT INTO payment.projection_state (topic, tables, built_at) VALUES
       ('${TOPICS.catalogue.name}', '{assets}', now()), ('${TOPICS.price.name}', '{prices}', now()),
       ('${TOPICS.switches.name}', '{switches}', now())`,
  ].join('\n');
