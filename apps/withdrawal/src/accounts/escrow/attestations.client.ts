import type { Chain } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import type { Order } from '@bascule/solidity';
import { collectAttestation } from '@bascule/venues';
import type { CollectedAttestation } from '@bascule/venues';
import { ChainUnreadableError } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import type { Address } from 'viem';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';

/** Collects the attesters' answers about an order's fill. */
@Injectable()
export class AttestationsClient {
  private readonly missing: Counter;

  constructor(
    private readonly settings: WithdrawalSettings,
    private readonly context: ServiceContext,
  ) {
    this.missing = new Counter({
      name: 'withdrawals_attestations_missing_total',
      help: 'Orders for which no quorum of attesters agreed in time.',
      registers: [context.metrics],
    });
  }

  /**
   * Returns null when no quorum agrees in time.
   * @throws ChainUnreadableError
   */
  async collect(chain: Chain, order: Order, escrow: Address): Promise<CollectedAttestation | null> {
    const signal = AbortSignal.timeout(this.settings.balanceTimeoutMs);
    const collected = await collectAttestation({
      urls: this.settings.attesterUrls,
      order,
      escrow,
      chain,
      signal,
      onIgnored: ({ url, reason }) => {
        this.context.logger.warn({ err: reason, attester: url }, 'attester answer ignored');
      },
    }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw new ChainUnreadableError(chain.name, error);
    });
    if (collected === null) this.missing.inc();
    return collected;
  }
}
