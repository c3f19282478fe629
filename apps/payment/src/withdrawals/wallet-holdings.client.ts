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
  /** Leaves out any unreadable token; otherwise only one whose contract is broken. */
  isLastResort: boolean;
  leftOut: (token: string, error: unknown) => void;
}

/** Reads a wallet's holdings after a block. Throws where the node has no state of that block. */
export async function readHoldings(
  node: StateReader,
  { wallet, blockNumber, tokens, isLastResort, leftOut }: HoldingsQuestion,
): Promise<WalletHolding[]> {
  // Independent of any contract: distinguishes a node without the state from a broken token.
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

/** Fault of the contract, on every node and at every height. */
const isOfToken = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ContractFunctionRevertedError ||
      cause instanceof ContractFunctionZeroDataError,
  ) !== null;
