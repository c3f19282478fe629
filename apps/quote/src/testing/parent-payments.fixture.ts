import {
  TOPICS,
  type AssetIdentifier,
  type PaymentState,
  type TokenIdentifier,
} from '@bascule/contracts';
import { developmentAccounts, rpcCall } from '@bascule/local-stack';
import { createEnvelope, type OutgoingRecord } from '@bascule/messaging';
import {
  contractAddresses,
  developmentAddresses,
  oneTimeWalletAddress,
  serializeDeclaration,
  uuidToBytes16,
  type Declaration,
} from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  http,
  zeroAddress,
  type Address,
  type PublicClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { USDC } from './catalogue-feed.fixture.js';
import { ORGANISATION, type QuoteStand } from './quote-stand.fixture.js';

const [faucet, , operator] = developmentAccounts;

export interface ParentPayment {
  id: string;
  wallet: Address;
  state: PaymentState;
}

export interface ParentChange {
  orgId?: string;
  status?: PaymentState['payment']['status'];
  deposit?: TokenIdentifier;
  output?: AssetIdentifier;
  /** Null: not told by the event. */
  senders?: PaymentState['senders'] | null;
}

const leg: Declaration['legs'][number] = {
  chainId: 31_337n,
  inputToken: developmentAddresses.usdc,
  maxInput: 100_000_000n,
  fees: [],
  outputToken: developmentAddresses.usdc,
  minOutput: 99_000_000n,
  customCalls: [],
  bridgeAdapter: zeroAddress,
  minBridged: 0n,
};

/** A confirmed payment, as its events show it. */
export function aParent(change: ParentChange = {}): ParentPayment {
  const { orgId = ORGANISATION, status = 'EXPIRED', deposit = USDC, output = USDC } = change;
  const { senders = 'CLEAR' } = change;
  const id = uuidv7();
  const declaration: Declaration = {
    factory: contractAddresses.oneTimeWalletFactory,
    paymentId: uuidToBytes16(id),
    owner: operator.address,
    executor: developmentAddresses.executor,
    destination: operator.address,
    expiry: 2_000_000_000n,
    legs: [leg],
  };
  const now = new Date().toISOString();
  const fees = {
    total_fees: '0',
    conversion_fees: '0',
    network_fees: '0',
    business_fees: '0',
    currency_symbol: 'usd',
  };
  const output_amount = { asset: output, amount: '99' };
  const payment: PaymentState['payment'] = {
    payment_id: id,
    org_id: orgId,
    status,
    funded: true,
    created_at: now,
    updated_at: now,
    initiate_fund_by: now,
    quoted: { output_amount, fees, route: [], latency_seconds: 1 },
    fulfilled: { output_amount, fees, route: [] },
    current_prices: {},
    price_currency: 'usd',
    processing_addresses: [],
    owner_chain: 'alphanet',
    owner_address: operator.address,
    destination_address: operator.address,
    withdrawals: null,
    client_redirect_url: null,
    geolocation: null,
    declaration: serializeDeclaration(declaration),
    quote_request: {
      request: {
        kind: 'FIXED_INPUT',
        fixed_input_amount: { asset: deposit, amount: '100' },
        output_asset: output,
      },
    },
    issues: [],
  };
  const required_deposit = { token: deposit, amount: '100000000' };
  const wallet = oneTimeWalletAddress(declaration);
  const state: PaymentState = {
    version: 1,
    payment,
    required_deposit,
    ...(senders && { senders }),
  };
  return { id, wallet, state };
}

export function parentRecord({ id, state }: ParentPayment): OutgoingRecord {
  const envelope = createEnvelope(
    { topic: TOPICS.payment, type: 'payment.updated', key: id, data: state },
    { source: 'payment', environment: 'test' },
  );
  const value = Buffer.from(JSON.stringify(envelope));
  return { topic: TOPICS.payment.name, key: id, headers: {}, value };
}

/** RPC endpoint of a token's chain. */
function rpcUrlOf({ chain, otherChain }: QuoteStand, token: string): string {
  const found = token.startsWith('betanet:') ? otherChain : chain;
  if (!found) throw new Error(`the chain of ${token} does not run`);
  return found.rpcUrl;
}

export const clientOf = (stand: QuoteStand, token: string = USDC): PublicClient =>
  createPublicClient({ transport: http(rpcUrlOf(stand, token)) });

/** Sends USDC, or the native currency with the token `0x`, from the faucet. */
export async function park(
  stand: QuoteStand,
  { wallet }: ParentPayment,
  amount: bigint,
  token: string = USDC,
): Promise<void> {
  const account = privateKeyToAccount(faucet.privateKey);
  const client = createWalletClient({ account, transport: http(rpcUrlOf(stand, token)) });
  const address = token.slice(token.indexOf(':') + 1) as Address;
  const hash =
    address === '0x'
      ? await client.sendTransaction({ chain: null, to: wallet, value: amount })
      : await client.writeContract({
          chain: null,
          address,
          abi: erc20Abi,
          functionName: 'transfer',
          args: [wallet, amount],
        });
  await rpcCall(rpcUrlOf(stand, token), 'evm_mine', []);
  const { status } = await clientOf(stand, token).waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`transfer ${hash} reverted`);
}
