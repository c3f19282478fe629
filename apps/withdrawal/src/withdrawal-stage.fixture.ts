import { TOPICS } from '@bascule/contracts';
import type { DeclarationBody, PaymentState, TokenIdentifier } from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER, startService } from '@bascule/http';
import type { RunningService } from '@bascule/http';
import { deployDevelopmentChain, developmentAccounts, rpcCall } from '@bascule/local-stack';
import { TRANSPORT, createEnvelope, createEventLog } from '@bascule/messaging';
import type { Transport } from '@bascule/messaging';
import {
  contractAddresses,
  developmentAddresses,
  oneTimeWalletAbi,
  oneTimeWalletAddress,
  oneTimeWalletFactoryAbi,
  parseDeclaration,
  serializeDeclaration,
  uuidToBytes16,
} from '@bascule/solidity';
import type { Declaration } from '@bascule/solidity';
import {
  createServiceDatabase,
  internalTokens,
  startCapturingServer,
  startTestChain,
} from '@bascule/testing';
import { v7 as uuidv7 } from 'uuid';
import { createTestClient, erc20Abi, http, publicActions, walletActions } from 'viem';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { withdrawalService } from './index.js';
import { authorizationOf } from './accounts/wallet/authorization.js';

const [faucet, , operator, relayer, , , feeReceiver] = developmentAccounts;
const CHAIN = 'alphanet';
const NATIVE = '0x0000000000000000000000000000000000000000';

export const ORGANISATION = '0190b2c3-0000-7000-8000-000000000001';
export const FEE_RECEIVER = feeReceiver.address;
export const RELAYER = relayer.address;
export const tokenOf = (address: string): TokenIdentifier =>
  `${CHAIN}:${address.toLowerCase() as Hex}`;
export const USDC = tokenOf(developmentAddresses.usdc);
export const USDT = tokenOf(developmentAddresses.usdt);
/** Known, but never priced. */
export const WBTC = tokenOf(developmentAddresses.wbtc);
export const ETHER: TokenIdentifier = `${CHAIN}:0x`;

const ASSETS = [
  { id: USDC, symbol: 'USDC', decimals: 6, usd: '1' },
  { id: USDT, symbol: 'USDT', decimals: 6, usd: '0.9998' },
  { id: ETHER, symbol: 'ETH', decimals: 18, usd: '3000' },
  { id: WBTC, symbol: 'WBTC', decimals: 8, usd: null },
];

export interface Answer<T> {
  status: number;
  body: T;
}

/** The service with a real database and a real chain, a node that can be told to take no transactions, and a chain that is down. */
export async function startStage() {
  const chain = await startTestChain({ name: CHAIN });
  await deployDevelopmentChain(chain);
  const database = await createServiceDatabase('withdrawal');
  await createEventLog(database.adminUrl);
  const tokens = internalTokens();
  let refusesTransactions = false;
  const node = await startCapturingServer(async ({ body }) => {
    if (refusesTransactions && body.includes('eth_sendRawTransaction')) return { status: 503 };
    const answer = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { headers: { 'content-type': 'application/json' }, body: await answer.text() };
  });
  const environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: '0',
    DATABASE_URL: database.database.url,
    CHAINS: 'alphanet,betanet',
    RPC_URLS_ALPHANET: node.url,
    RPC_URLS_BETANET: 'http://127.0.0.1:9',
    STATE_TOKEN_KEYS: JSON.stringify([{ kid: 'a', k: Buffer.alloc(32, 7).toString('base64url') }]),
    RELAYER_PRIVATE_KEY: relayer.privateKey,
    FEE_RECEIVER,
    ...tokens.env,
  };
  await withdrawalService.migrate?.(withdrawalService.parseConfig(environment));
  let service: RunningService = await startService(withdrawalService, environment);
  const client = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);

  const publish = async (topic: keyof typeof TOPICS, type: string, key: string, data: unknown) => {
    const envelope = createEnvelope(
      { topic: TOPICS[topic], type, key, data },
      { source: 'test', environment: 'development' },
    );
    const value = Buffer.from(JSON.stringify(envelope));
    await service.app
      .get<Transport>(TRANSPORT)
      .publish([{ topic: TOPICS[topic].name, key, headers: {}, value }]);
  };
  for (const { id, symbol, decimals, usd } of ASSETS) {
    const [, address = '0x'] = id.split(':');
    const asset = { chain: CHAIN, address, name: symbol, symbol, decimals, image_url: '' };
    const listed = { version: 1, id, listed: true, asset: { ...asset, is_native: id === ETHER } };
    await publish('catalogue', 'asset.listed', id, listed);
    if (usd === null) continue;
    const price = { version: 1, asset: id, usd, observed_at: '2026-11-21T00:00:00Z', sources: [] };
    await publish('price', 'price.observed', id, price);
  }

  return {
    chain,
    client,
    database,
    publish,
    refuseTransactions: (refuses: boolean) => {
      refusesTransactions = refuses;
    },
    restart: async (change: Record<string, string> = {}) => {
      await service.shutdown();
      service = await startService(withdrawalService, { ...environment, ...change });
    },
    service: () => service,
    async call<T>(
      path: string,
      body?: object,
      orgId = ORGANISATION,
      headers: Record<string, string> = {},
    ): Promise<Answer<T>> {
      const permissions = ['payments:read', 'payments:write', 'balances'] as const;
      const token = await tokens.token({ orgId, permissions: [...permissions] });
      const answer = await fetch(`${service.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          [INTERNAL_TOKEN_HEADER]: token,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as T };
    },
    balance: (token: TokenIdentifier, owner: string): Promise<bigint> =>
      token === ETHER
        ? client.getBalance({ address: owner as Address })
        : client.readContract({
            address: token.split(':')[1] as Address,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [owner as Address],
          }),
    async fund(token: TokenIdentifier, to: string, amount: bigint): Promise<void> {
      const account = privateKeyToAccount(faucet.privateKey);
      const hash =
        token === ETHER
          ? await client.sendTransaction({ account, chain: null, to: to as Address, value: amount })
          : await client.writeContract({
              account,
              chain: null,
              address: token.split(':')[1] as Address,
              abi: [TRANSFER],
              functionName: 'transfer',
              args: [to as Address, amount],
            });
      await client.waitForTransactionReceipt({ hash });
    },
    /** As anybody may who holds the signature. Returns the withdrawal's transaction. */
    async submitDirectly(payment: TestPayment, typedData: string, signature: Hex): Promise<Hex> {
      const authorization = authorizationOf(typedData);
      const sender = { account: privateKeyToAccount(faucet.privateKey), chain: null };
      const deployment = await client.writeContract({
        ...sender,
        address: payment.declaration.factory,
        abi: oneTimeWalletFactoryAbi,
        functionName: 'deploy',
        args: [authorization.signatory_declaration_hash],
      });
      await client.waitForTransactionReceipt({ hash: deployment });
      const hash = await client.writeContract({
        ...sender,
        address: payment.wallet,
        abi: oneTimeWalletAbi,
        functionName: 'withdraw',
        args: [payment.declaration, authorization, signature],
      });
      await client.waitForTransactionReceipt({ hash });
      return hash;
    },
    setCode: (address: string, code: Hex) =>
      rpcCall(chain.rpcUrl, 'anvil_setCode', [address, code]),
    stop: async () => {
      await service.shutdown();
      await node.stop();
      await database.drop();
      await chain.stop();
    },
  };
}
export type Stage = Awaited<ReturnType<typeof startStage>>;

/** USDT returns nothing. */
const TRANSFER = {
  type: 'function',
  name: 'transfer',
  stateMutability: 'nonpayable',
  inputs: [
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  outputs: [],
} as const;

export interface TestPayment {
  id: string;
  wallet: Address;
  declaration: Declaration;
  state: PaymentState;
}

/** A payment that wants 100 USDC. */
export function aPayment(
  owner: string,
  change: { status?: PaymentState['payment']['status']; parent?: string } = {},
): TestPayment {
  const id = uuidv7();
  const declaration: Declaration = {
    factory: contractAddresses.oneTimeWalletFactory,
    paymentId: uuidToBytes16(id),
    owner: owner as Address,
    executor: developmentAddresses.executor,
    destination: operator.address,
    expiry: 2_000_000_000n,
    legs: [
      {
        chainId: 31_337n,
        inputToken: developmentAddresses.usdc,
        maxInput: 100_000_000n,
        fees: [],
        outputToken: developmentAddresses.usdc,
        minOutput: 99_000_000n,
        customCalls: [],
        bridgeAdapter: NATIVE,
        minBridged: 0n,
      },
    ],
  };
  const body: DeclarationBody = serializeDeclaration(declaration);
  const wallet = oneTimeWalletAddress(parseDeclaration(body));
  const now = new Date().toISOString();
  const money = { asset: USDC, amount: '100' };
  const fees = {
    total_fees: '0',
    conversion_fees: '0',
    network_fees: '0',
    business_fees: '0',
    currency_symbol: 'usd',
  };
  const payment: PaymentState['payment'] = {
    payment_id: id,
    org_id: ORGANISATION,
    status: change.status ?? 'EXPIRED',
    funded: true,
    created_at: now,
    updated_at: now,
    initiate_fund_by: now,
    quoted: { output_amount: money, fees, route: [], latency_seconds: 1 },
    fulfilled: { output_amount: money, fees, route: [] },
    current_prices: {},
    price_currency: 'usd',
    processing_addresses: [{ chain: CHAIN, address: wallet, factory: declaration.factory }],
    owner_chain: CHAIN,
    owner_address: owner,
    destination_address: declaration.destination,
    withdrawals: null,
    client_redirect_url: null,
    geolocation: null,
    declaration: body,
    quote_request: {
      request: { kind: 'FIXED_INPUT', fixed_input_amount: money, output_asset: USDC },
    },
    issues: [],
    ...(change.parent === undefined ? {} : { parent_payment_id: change.parent }),
  };
  const required = { token: USDC, amount: '100000000' };
  return { id, wallet, declaration, state: { version: 1, payment, required_deposit: required } };
}
