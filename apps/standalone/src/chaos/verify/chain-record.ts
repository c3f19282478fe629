import { tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import { developmentAddresses, oneTimeWalletAbi } from '@bascule/solidity';
import { erc20Abi, getAbiItem, type Address, type Hex } from 'viem';
import type { BusyChain } from '../payments/busy-chain.js';

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

export interface LandedWithdrawal {
  wallet: Address;
  hash: Hex;
  nonce: bigint;
}

/** Everything that happened to tokens and wallets on a chain; addresses are in lower case. */
export interface ChainRecord {
  chain: BusyChain;
  transfers: Transfer[];
  legs: ExecutedLeg[];
  withdrawals: LandedWithdrawal[];
}

const { usdc, usdt, wbtc, weth } = developmentAddresses;
const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' });
const legExecutedEvent = getAbiItem({ abi: oneTimeWalletAbi, name: 'LegExecuted' });
const withdrawnEvent = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });

export async function readChain(chain: BusyChain, fromBlock: bigint): Promise<ChainRecord> {
  const range = { fromBlock, strict: true } as const;
  const [transfers, legs, withdrawals] = await Promise.all([
    chain.client.getLogs({ ...range, address: [usdc, usdt, wbtc, weth], event: transferEvent }),
    chain.client.getLogs({ ...range, event: legExecutedEvent }),
    chain.client.getLogs({ ...range, event: withdrawnEvent }),
  ]);
  return {
    chain,
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
  };
}

export const lower = (address: string): Address => address.toLowerCase() as Address;

export const sum = (units: readonly bigint[]): bigint =>
  units.reduce((total, each) => total + each, 0n);
