import { tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import {
  developmentAddresses,
  intentEscrowAbi,
  oneTimeWalletAbi,
  type Declaration,
  type Leg,
  type Order,
} from '@bascule/solidity';
import { erc20Abi, getAbiItem, type Address, type Hex } from 'viem';
import type { FaucetChain } from '../client/faucet-chain.js';

export interface Transfer {
  token: TokenIdentifier;
  from: Address;
  to: Address;
  units: bigint;
  hash: Hex;
}

export interface ExecutedLeg {
  wallet: Address;
  hash: Hex;
  amount: bigint;
  fees: readonly bigint[];
  output: bigint;
}

export interface MinedWithdrawal {
  wallet: Address;
  hash: Hex;
  nonce: bigint;
}

/** Money that a wallet gave to the escrow of this chain. */
export interface OpenedOrder {
  id: Hex;
  wallet: Address;
  hash: Hex;
  order: Order;
}

/** Fill on this chain of another chain's order. */
export interface OrderFill {
  orderId: Hex;
  filler: Address;
  amount: bigint;
  hash: Hex;
}

/** Release or refund of an order by this chain's escrow. */
export interface OrderClosing {
  orderId: Hex;
  to: 'filler' | 'owner';
  receiver: Address;
  amount: bigint;
}

/** Parts of a chain that verification reads. */
export type ReadableChain = Pick<FaucetChain, 'name' | 'chainId' | 'balance'>;

/** Everything that happened to tokens, wallets and orders on a chain; addresses are in lower case. */
export interface ChainRecord {
  chain: ReadableChain;
  /** Unix seconds, of the last block that was read. */
  time: bigint;
  transfers: Transfer[];
  legs: ExecutedLeg[];
  withdrawals: MinedWithdrawal[];
  orders: OpenedOrder[];
  fills: OrderFill[];
  closings: OrderClosing[];
}

const { usdc, usdt, wbtc, weth, intentEscrow } = developmentAddresses;
const TOKENS = [usdc, usdt, wbtc, weth];
const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' });
const legExecutedEvent = getAbiItem({ abi: oneTimeWalletAbi, name: 'LegExecuted' });
const withdrawnEvent = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });

export async function readChain(chain: FaucetChain, fromBlock: bigint): Promise<ChainRecord> {
  const { number: toBlock, timestamp: time } = await chain.client.getBlock();
  const range = { fromBlock, toBlock, strict: true } as const;
  const [transfers, legs, withdrawals, escrow] = await Promise.all([
    chain.client.getLogs({ ...range, address: TOKENS, event: transferEvent }),
    chain.client.getLogs({ ...range, event: legExecutedEvent }),
    chain.client.getLogs({ ...range, event: withdrawnEvent }),
    readEscrow(chain, range),
  ]);
  return {
    chain,
    time,
    transfers: transfers.map(({ address, args, transactionHash }) => ({
      token: tokenIdentifier(chain.name, address),
      from: lower(args.from),
      to: lower(args.to),
      units: args.value,
      hash: transactionHash,
    })),
    legs: legs.map(({ address, args, transactionHash }) => ({
      wallet: lower(address),
      hash: transactionHash,
      ...{ amount: args.amount, fees: args.fees, output: args.output },
    })),
    withdrawals: withdrawals.map(({ address, args, transactionHash }) => ({
      wallet: lower(address),
      hash: transactionHash,
      nonce: args.nonce,
    })),
    ...escrow,
  };
}

async function readEscrow(
  { client }: FaucetChain,
  range: { fromBlock: bigint; toBlock: bigint; strict: true },
): Promise<Pick<ChainRecord, 'orders' | 'fills' | 'closings'>> {
  const logs = await client.getContractEvents({
    address: intentEscrow,
    abi: intentEscrowAbi,
    ...range,
  });
  const record: Pick<ChainRecord, 'orders' | 'fills' | 'closings'> = {
    ...{ orders: [], fills: [], closings: [] },
  };
  for (const { eventName, args, transactionHash: hash } of logs) {
    if (eventName === 'Open') {
      const { orderId: id, wallet, order } = args;
      record.orders.push({ id, wallet: lower(wallet), hash, order });
    } else if (eventName === 'Filled') {
      const { orderId, filler, amount } = args;
      record.fills.push({ orderId, filler: lower(filler), amount, hash });
    } else if (eventName === 'Released') {
      const { orderId, filler, amount } = args;
      record.closings.push({ orderId, to: 'filler', receiver: lower(filler), amount });
    } else if (eventName === 'Refunded') {
      const { orderId, recipient, amount, fee } = args;
      const receiver = lower(recipient);
      record.closings.push({ orderId, to: 'owner', receiver, amount: amount + fee });
    }
  }
  return record;
}

/** A payment has one leg on each of its chains at most. */
export const declaredLeg = (declaration: Declaration, chain: ReadableChain): Leg | undefined =>
  declaration.legs.find(({ chainId }) => chainId === BigInt(chain.chainId));

export const lower = (address: string): Address => address.toLowerCase() as Address;

export const sum = (units: readonly bigint[]): bigint =>
  units.reduce((total, each) => total + each, 0n);
