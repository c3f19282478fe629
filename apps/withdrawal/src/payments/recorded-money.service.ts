import { finalBlock } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { unavailable } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Screening } from '@bascule/screening';
import { ProjectionWaits } from '@bascule/service-host';
import { readChain, TokenBalancesClient } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import type { RequestedToken } from '../requests/requested-tokens.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';

/**
 * Keeps money in a wallet until the payment service has recorded its deposit, and so screens its sender. Money without
 * such a record is taken once it is final: no record will follow, as for native currency that a contract sent to a payment
 * that has ended, where a chain's calls are not traced.
 */
@Injectable()
export class RecordedMoneyService {
  constructor(
    private readonly projections: ProjectionsRepository,
    private readonly waits: ProjectionWaits,
    private readonly screening: Screening,
    private readonly balances: TokenBalancesClient,
    private readonly settings: WithdrawalSettings,
  ) {}

  /**
   * Waits at most 2 s for the records. Afterwards the senders' verdicts have to be asked for again.
   * @returns whether it had to wait
   * @throws ServiceError 503 for money that is neither recorded nor final
   */
  async awaited(
    caller: Caller,
    chain: Chain,
    payment: ProjectedPayment,
    tokens: readonly RequestedToken[],
  ): Promise<boolean> {
    if (!this.screening.isEnabled || isRecorded(payment, tokens)) return false;
    const finals = await this.finalBalances(chain, payment, tokens);
    const arriving = tokens.filter(({ amount }, index) => amount > (finals[index] ?? 0n));
    if (arriving.length === 0) return false;
    const recorded = await this.waits.forArrival(caller, async () => {
      const current = await this.projections.payment(payment.id);
      return current !== null && isRecorded(current, arriving) ? current : null;
    });
    if (recorded === null) {
      throw unavailable('A deposit has just arrived and is not recorded yet. Try again.');
    }
    return true;
  }

  private async finalBalances(
    chain: Chain,
    { walletAddress }: ProjectedPayment,
    tokens: readonly RequestedToken[],
  ): Promise<(bigint | null)[]> {
    const { balanceTimeoutMs } = this.settings;
    const { number } = await readChain(chain.name, balanceTimeoutMs, finalBlock(chain));
    const queries = tokens.map(({ address }) => ({
      owner: walletAddress as Address,
      token: address,
    }));
    return this.balances.readFinal(chain, queries, balanceTimeoutMs, number);
  }
}

const isRecorded = (
  { recordedBalances }: ProjectedPayment,
  tokens: readonly RequestedToken[],
): boolean =>
  tokens.every(({ id, amount }) => {
    const recorded = recordedBalances.find(({ token }) => token === id)?.amount ?? '0';
    return amount <= BigInt(recorded);
  });
