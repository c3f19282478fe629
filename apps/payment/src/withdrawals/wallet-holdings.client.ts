import type { ChainClient } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  erc20Abi,
  zeroAddress,
} from 'viem';
import type { Address } from 'viem';
import type { WalletHolding } from '../life-cycle/payment-record.js';
import type { TokenFacts } from '../projections/asset-directory.repository.js';

export type StateReader = Pick<ChainClient, 'getBalance' | 'readContract'>;

export interface HoldingsQuestion {
  wallet: Address;
  blockNumber: bigint;
  tokens: readonly TokenFacts[];
  /** A token that cannot be read is left out; else only one that is itself broken. */
  isLastResort: boolean;
  leftOut: (token: string, error: unknown) => void;
}

/** What a wallet held after a block. Throws when the node does not have the state of that block. */
export async function readHoldings(
  node: StateReader,
  { wallet, blockNumber, tokens, isLastResort, leftOut }: HoldingsQuestion,
): Promise<WalletHolding[]> {
  // No contract can make this one fail: it tells a node without the state from a token that refuses to answer.
  const native = await node.getBalance({ address: wallet, blockNumber });
  const holdings = await Promise.all(
    tokens.map(async (facts): Promise<WalletHolding[]> => {
      const { address } = parseTokenIdentifier(facts.token);
      if (address === zeroAddress) return [{ ...facts, amount: native }];
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

/** The contract's own fault, on every node and at every height. */
const isOfToken = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ContractFunctionRevertedError ||
      cause instanceof ContractFunctionZeroDataError,
  ) !== null;
