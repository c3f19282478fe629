import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
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
    const contracts = queries.map(({ owner, token }) =>
      token === ZERO_ADDRESS
        ? ({
            address: chain.definition.contracts.multicall3,
            abi: multicall3Abi,
            functionName: 'getEthBalance',
            args: [owner],
          } as const)
        : ({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const),
    );
    const answers = await readChain(
      chain.name,
      ms,
      chain.client.multicall({
        contracts,
        batchSize: MULTICALL_BYTES,
        ...(blockNumber !== undefined && { blockNumber }),
      }),
    );
    if (answers.length > 0 && answers.every(({ status }) => status === 'failure')) {
      throw new ChainUnreadableError(chain.name, answers[0]?.error);
    }
    return answers.map((answer) => (answer.status === 'success' ? answer.result : null));
  }
}
