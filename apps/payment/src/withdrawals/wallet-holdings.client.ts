import type { ChainClient } from '@bascule/chain';
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  erc20Abi,
  zeroAddress,
} from 'viem';
import type { WalletHolding } from '../life-cycle/payment-record.js';
import { addressOf } from './shared-balances.client.js';
import type {
  BalanceReader,
  SharedBalancesClient,
  WalletTokens,
} from './shared-balances.client.js';

export type StateReader = BalanceReader & Pick<ChainClient, 'getBalance' | 'readContract'>;

export interface HoldingsQuestion extends WalletTokens {
  blockNumber: bigint;
  /** Balances of this wallet, and of others that are observed at the same time. */
  balances: SharedBalancesClient;
  /** Leaves out any unreadable token; otherwise only one whose contract is broken. */
  isLastResort: boolean;
  leftOut: (token: string, error: unknown) => void;
}

/**
 * Reads a wallet's holdings after a block. A balance that fails among others is read by itself: a token may use up the gas
 * of all. Throws where the node has no state of that block.
 */
export async function readHoldings(
  node: StateReader,
  { wallet, blockNumber, tokens, balances, isLastResort, leftOut }: HoldingsQuestion,
): Promise<WalletHolding[]> {
  const balanceOf = await balances.at(node, blockNumber);
  // Independent of any contract: distinguishes a node without the state from a broken token.
  const native =
    balanceOf(wallet, zeroAddress) ?? (await node.getBalance({ address: wallet, blockNumber }));
  const holdings = await Promise.all(
    tokens.map(async (facts): Promise<WalletHolding[]> => {
      const address = addressOf(facts);
      if (address === zeroAddress) return [{ ...facts, amount: native }];
      const known = balanceOf(wallet, address);
      if (known !== undefined) return [{ ...facts, amount: known }];
      try {
        const call = { address, abi: erc20Abi, functionName: 'balanceOf' } as const;
        const amount = await node.readContract({ ...call, args: [wallet], blockNumber });
        return [{ ...facts, amount }];
      } catch (error) {
        if (!isLastResort && !isOfToken(error)) throw error;
        leftOut(facts.token, error);
        return [];
      }
    }),
  );
  return holdings.flat().filter(({ amount }) => amount > 0n);
}

/** Fault of the contract, on every node and at every height. */
const isOfToken = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ContractFunctionRevertedError ||
      cause instanceof ContractFunctionZeroDataError,
  ) !== null;
