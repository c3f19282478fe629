import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { within } from '../chain/within.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { WithdrawalSettings } from '../withdrawal-settings.config.js';
import { withdrawalFee } from './withdrawal-fee.js';
import { withdrawalGas } from './withdrawal-gas.js';

export interface FeeToken {
  id: TokenIdentifier;
  decimals: number;
}

/** What a withdrawal costs now, by the chain's gas price and the newest prices. */
@Injectable()
export class WithdrawalFees {
  constructor(
    private readonly projections: ProjectionsRepository,
    private readonly settings: WithdrawalSettings,
  ) {}

  /**
   * In smallest units of each token; a token that cannot be priced is left out.
   * @throws ChainUnreadableError
   */
  async of(
    chain: Chain,
    wallet: Address,
    tokens: readonly FeeToken[],
  ): Promise<Map<TokenIdentifier, bigint>> {
    const nativeId = tokenIdentifier(chain.name, ZERO_ADDRESS);
    const [prices, gasPrice, code] = await Promise.all([
      this.projections.prices([nativeId, ...tokens.map(({ id }) => id)]),
      this.ask(chain, chain.client.getGasPrice()),
      this.ask(chain, chain.client.getCode({ address: wallet })),
    ]);
    const nativeUsd = prices.get(nativeId);
    const fees = new Map<TokenIdentifier, bigint>();
    for (const { id, decimals } of tokens) {
      const usd = prices.get(id);
      if (nativeUsd === undefined || usd === undefined) continue;
      const gas = withdrawalGas({
        isNative: parseTokenIdentifier(id).address === ZERO_ADDRESS,
        isDeployed: code !== undefined,
      });
      const native = { decimals: chain.definition.nativeCurrency.decimals, usd: nativeUsd };
      fees.set(id, withdrawalFee({ gasPrice, gas, native }, { decimals, usd }));
    }
    return fees;
  }

  private ask<T>(chain: Chain, answer: Promise<T>): Promise<T> {
    return within(chain.name, this.settings.balanceTimeoutMs, answer);
  }
}
