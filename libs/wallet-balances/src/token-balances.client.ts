import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { erc20Abi, multicall3Abi } from 'viem';
import type { Address } from 'viem';
import { ChainUnreadableError } from './chain-unreadable-error.js';
import { readChain } from './read-chain.client.js';

export interface BalanceQuery {
  owner: Address;
  /** The zero address is the native currency. */
  token: Address;
}

/** Tokens of one wallet. */
export interface WalletQuery {
  wallet: Address;
  tokens: readonly Address[];
  /** Whether the fee depends on the wallet's code: it is not asked for other addresses, where nothing can be withdrawn. */
  isOwn: boolean;
}

export interface WalletReading {
  /** In the order of the tokens; null where only the token's own call failed. */
  units: (bigint | null)[];
  isDeployed: boolean;
}

const MULTICALL_BYTES = 64 * 1024;

@Injectable()
export class TokenBalancesClient {
  /**
   * Reads all balances in one call; null where only the token's own call failed.
   * @param blockNumber the block after which they are read; default: the newest
   * @throws ChainUnreadableError
   */
  async read(
    chain: Chain,
    queries: readonly BalanceQuery[],
    ms: number,
    blockNumber?: bigint,
  ): Promise<(bigint | null)[]> {
    const contracts = queries.map((query) => balanceCall(chain, query));
    const answers = await readChain(
      chain.name,
      ms,
      chain.client.multicall({
        contracts,
        batchSize: MULTICALL_BYTES,
        ...(blockNumber !== undefined && { blockNumber }),
      }),
    );
    return unitsOf(chain, answers);
  }

  /**
   * Reads the balances of many wallets, and which of them exist, in one call.
   * @throws ChainUnreadableError
   */
  async readWallets(
    chain: Chain,
    wallets: readonly WalletQuery[],
    ms: number,
  ): Promise<WalletReading[]> {
    const queries = wallets.flatMap(({ wallet: owner, tokens }) =>
      tokens.map((token) => ({ owner, token })),
    );
    const own = wallets.filter(({ isOwn }) => isOwn);
    const answers = await readChain(
      chain.name,
      ms,
      chain.client.multicall({
        contracts: [
          ...queries.map((query) => balanceCall(chain, query)),
          ...own.map(({ wallet }) => nonceCall(wallet)),
        ],
        batchSize: MULTICALL_BYTES,
      }),
    );
    const units = unitsOf(chain, answers.slice(0, queries.length));
    const deployed = new Set(
      own.filter((_, index) => answers[queries.length + index]?.status === 'success'),
    );
    let next = 0;
    return wallets.map((query) => ({
      units: units.slice(next, (next += query.tokens.length)),
      isDeployed: deployed.has(query),
    }));
  }
}

interface CallAnswer {
  status: 'success' | 'failure';
  result?: unknown;
  error?: unknown;
}

/** @throws ChainUnreadableError where every balance failed, so not by a token's own fault */
function unitsOf(chain: Chain, answers: readonly CallAnswer[]): (bigint | null)[] {
  if (answers.length > 0 && answers.every(({ status }) => status === 'failure')) {
    throw new ChainUnreadableError(chain.name, answers[0]?.error);
  }
  return answers.map(({ status, result }) =>
    status === 'success' && typeof result === 'bigint' ? result : null,
  );
}

const balanceCall = (chain: Chain, { owner, token }: BalanceQuery) =>
  token === ZERO_ADDRESS
    ? ({
        address: chain.definition.contracts.multicall3,
        abi: multicall3Abi,
        functionName: 'getEthBalance',
        args: [owner],
      } as const)
    : ({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const);

/** Fails where the wallet does not exist. */
const nonceCall = (wallet: Address) =>
  ({ address: wallet, abi: oneTimeWalletAbi, functionName: 'nonceUsed', args: [0n] }) as const;
