import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Chains, parseChainsConfig } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier, TOPICS } from '@bascule/contracts';
import type { PlannedLeg, TokenIdentifier } from '@bascule/contracts';
import { startService } from '@bascule/http';
import type { RunningService } from '@bascule/http';
import { developmentAccounts } from '@bascule/local-stack';
import { connectDirectly } from '@bascule/persistence';
import { contractAddresses, developmentAddresses } from '@bascule/solidity';
import { createServiceDatabase, internalTokens, runSql, startTestChain } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { bestQuote, createVenues } from '@bascule/venues';
import { v7 as uuidv7 } from 'uuid';
import {
  createTestClient,
  createWalletClient,
  erc20Abi,
  getAddress,
  http,
  publicActions,
  zeroAddress,
} from 'viem';
import type { Address, Hash } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { paymentTerms } from '../confirm/payment-terms.js';
import { paymentService } from '../index.js';
import { newPayment } from '../life-cycle/new-payment.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PaymentAcceptance } from '../persistence/payment-acceptance.repository.js';
import { PaymentReader } from '../persistence/payment-reader.repository.js';
import { DECIMALS, FEE_RECEIVER, USDC, USDT, WETH, aQuote, aQuoteState } from './a-quote.js';

export const NATIVE: TokenIdentifier = 'alphanet:0x';
const decimals: Record<TokenIdentifier, number> = { ...DECIMALS, [NATIVE]: 18 };
const [faucet, , operator] = developmentAccounts;

export const freshAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address;

/** What a payment of a test is to do. */
export interface PaymentWish {
  input: TokenIdentifier;
  output: TokenIdentifier;
  /** Smallest units of the input, fees included. */
  amount: bigint;
  fee?: bigint;
  /** By default what the pools give now, less half a percent. */
  minOutput?: bigint;
  maxInput?: bigint;
  expirationSeconds?: number;
  owner?: Address;
}

/** The whole payment service on a real database and a real chain with everything deployed. */
export class PaymentStack {
  private readonly services = new Set<RunningService>();

  private constructor(
    readonly chain: Chain,
    readonly node: ReturnType<typeof testClient>,
    readonly database: ServiceDatabase,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly stopChain: () => Promise<void>,
  ) {}

  static async start(overrides: NodeJS.ProcessEnv = {}): Promise<PaymentStack> {
    const [anvil, database] = await Promise.all([
      startTestChain(),
      createServiceDatabase('payment'),
    ]);
    const environment = serviceEnvironment(anvil.rpcUrl, database, overrides);
    const chain = new Chains(parseChainsConfig(environment)).get('alphanet');
    await paymentService.migrate?.(paymentService.parseConfig(environment));
    await runSql(database.adminUrl, LIST_ASSETS);
    return new PaymentStack(chain, testClient(anvil.rpcUrl), database, environment, () =>
      anvil.stop(),
    );
  }

  async stop(): Promise<void> {
    await this.stopServices();
    await this.stopChain();
    await this.database.drop();
  }

  /** A process of the service. */
  async startProcess(): Promise<RunningService> {
    const service = await startService(paymentService, this.environment);
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

  /** As if the time had passed that a dead process's leases last. */
  async letLeasesRunOut(): Promise<void> {
    await this.sql(`UPDATE leases SET expires_at = now()`);
    for (const table of ['legs', 'chain_transactions']) {
      await this.sql(`UPDATE ${table} SET due_at = now() WHERE due_at > now()`);
    }
  }

  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = await connectDirectly(this.database.database, 'test');
    try {
      return (await client.query(text, values)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** A confirmed payment; any process accepts it. */
  async confirm(service: RunningService, wish: PaymentWish): Promise<PaymentRecord> {
    const leg = await this.plannedLeg(wish);
    const plan = {
      funding: { kind: 'token' } as const,
      deposit: { token: wish.input, required_amount: wish.amount.toString() },
      legs: [leg],
    };
    const quote = aQuote(uuidv7());
    const terms = paymentTerms(
      {
        state: aQuoteState(),
        quote,
        plan,
        ownerAddress: wish.owner ?? freshAddress(),
        destinationAddress: freshAddress(),
        ownerChain: undefined,
        expirationMinutes: (wish.expirationSeconds ?? 600) / 60,
        clientRedirectUrl: undefined,
        clientRedirectAfter: undefined,
      },
      {
        factory: contractAddresses.oneTimeWalletFactory,
        executor: developmentAddresses.executor,
        chainIdOf: () => this.chain.chainId,
        executionWindowMs: () => 3_600_000,
        decimals,
      },
      new Date(),
    );
    const payment = newPayment(terms, uuidv7);
    await service.app.get(PaymentAcceptance).accept(payment);
    return payment;
  }

  async read(paymentId: string): Promise<PaymentRecord> {
    const [service] = this.services;
    if (!service) throw new Error('no process runs');
    const found = await service.app.get(PaymentReader).find(paymentId);
    if (!found) throw new Error(`there is no payment ${paymentId}`);
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
    };
  }

  async quote(input: TokenIdentifier, output: TokenIdentifier, amountIn: bigint): Promise<bigint> {
    if (input === output) return amountIn;
    const quote = await bestQuote(createVenues(), this.chain, {
      inputToken: parseTokenIdentifier(input).address,
      outputToken: parseTokenIdentifier(output).address,
      amountIn,
    });
    if (!quote) throw new Error(`no route from ${input} to ${output}`);
    return quote.amountOut;
  }

  balance(token: TokenIdentifier, holder: string): Promise<bigint> {
    const { address } = parseTokenIdentifier(token);
    return address === zeroAddress
      ? this.node.getBalance({ address: getAddress(holder) })
      : this.node.readContract({
          address,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [getAddress(holder)],
        });
  }

  /** From somebody who has plenty; mined when it returns. */
  async send(token: TokenIdentifier, to: string, amount: bigint): Promise<Hash> {
    const wallet = this.wallet(privateKeyToAccount(faucet.privateKey));
    const { address } = parseTokenIdentifier(token);
    const hash =
      address === zeroAddress
        ? await wallet.sendTransaction({ to: getAddress(to), value: amount })
        : await wallet.writeContract({
            address,
            abi: erc20Abi,
            functionName: 'transfer',
            args: [getAddress(to), amount],
          });
    const { status } = await this.node.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    if (status !== 'success') throw new Error(`the transfer of ${token} reverted`);
    return hash;
  }

  /** Nothing is mined unless asked for. */
  async stopMining(): Promise<void> {
    await this.node.setIntervalMining({ interval: 0 });
    await this.node.setAutomine(false);
  }

  async resumeMining(): Promise<void> {
    await this.node.setAutomine(true);
    await this.node.setIntervalMining({ interval: 1 });
  }

  /** The last blocks are replaced by empty ones. */
  async reorganise(depth: number): Promise<void> {
    await this.node.request<{ Parameters: [number, never[]]; ReturnType: null }>({
      method: 'anvil_reorg',
      params: [depth, []],
    });
  }

  wallet(account: PrivateKeyAccount) {
    const { chain } = this.chain.client;
    return createWalletClient({
      account,
      chain,
      transport: http(chain.rpcUrls.default.http[0]),
      cacheTime: 0,
    });
  }
}

const testClient = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions);

function serviceEnvironment(
  rpcUrl: string,
  { database }: ServiceDatabase,
  overrides: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return {
    ...internalTokens().env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ENVIRONMENT: 'test',
    DATABASE_URL: database.url,
    CHAINS: 'alphanet',
    RPC_URLS_ALPHANET: rpcUrl,
    CONFIRMATIONS_ALPHANET: '1',
    STATE_TOKEN_KEYS: JSON.stringify([{ kid: 'test', k: randomBytes(32).toString('base64url') }]),
    PROVIDERS: '[]',
    EXECUTOR_PRIVATE_KEY: operator.privateKey,
    FUNDING_TOKEN_PRIVATE_KEY: JSON.stringify({ ...key, kid: 'test' }),
    FUNDING_PAGE_BASE: 'http://127.0.0.1:8080',
    ...overrides,
  };
}

const LIST_ASSETS = `
  INSERT INTO payment.assets (id, version, chain, decimals, asset, listed) VALUES
    ('${USDC}', 1, 'alphanet', 6, '{}', true),
    ('${USDT}', 1, 'alphanet', 6, '{}', true),
    ('${WETH}', 1, 'alphanet', 18, '{}', true),
    ('${NATIVE}', 1, 'alphanet', 18, '{}', true);
  INSERT INTO payment.prices (asset, version, usd, observed_at) VALUES
    ('${USDC}', 1, 1, now()), ('${USDT}', 1, 1, now()),
    ('${WETH}', 1, 3000, now()), ('${NATIVE}', 1, 3000, now());
  -- What no event tells of would be removed by the first build.
  INSERT INTO payment.projection_state (topic, tables, built_at) VALUES
    ('${TOPICS.catalogue.name}', '{assets}', now()), ('${TOPICS.price.name}', '{prices}', now())`;
