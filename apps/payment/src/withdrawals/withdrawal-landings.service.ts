import { compareDecimals } from '@bascule/amounts';
import { Chains } from '@bascule/chain';
import { parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import type { DecimalString } from '@bascule/contracts';
import { parseWithdrawalNonce } from '@bascule/solidity';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { erc20Abi, zeroAddress } from 'viem';
import type { Address } from 'viem';
import type {
  LandedWithdrawal,
  PaymentRecord,
  WalletHolding,
} from '../life-cycle/payment-record.js';
import { withdrawalLanded } from '../life-cycle/withdrawals.js';
import { PAYMENT_CONFIG } from '../payment.config.js';
import type { PaymentConfig } from '../payment.config.js';
import { PaymentStore } from '../persistence/payment-store.repository.js';
import { AssetDirectory } from '../projections/asset-directory.repository.js';
import { withdrawalCostUsd } from './withdrawal-cost.js';

/** A `Withdrawn` log of a watched wallet, in a block that has its confirmations. */
export interface WithdrawnLog {
  paymentId: string;
  chain: string;
  wallet: Address;
  nonce: bigint;
  acceptBlame: boolean;
  transactionHash: string;
  blockNumber: bigint;
  blockTimestamp: Date;
}

export interface ObservedLanding extends WithdrawnLog {
  landed: LandedWithdrawal;
  /** What is left counts only above this. */
  dustUsd: DecimalString;
}

/** Withdrawals as the chain knows them, whoever submitted them. */
@Injectable()
export class WithdrawalLandings {
  constructor(
    private readonly chains: Chains,
    private readonly directory: AssetDirectory,
    private readonly payments: PaymentStore,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Reads what the withdrawal left in the wallet; asks the chain, so not within a transaction. */
  async observe(log: WithdrawnLog): Promise<ObservedLanding> {
    const { transactionHash, blockNumber, blockTimestamp } = log;
    const [remaining, dustUsd] = await Promise.all([this.holdingsAt(log), this.dustUsd(log.chain)]);
    return { ...log, dustUsd, landed: { transactionHash, blockNumber, blockTimestamp, remaining } };
  }

  async record(manager: EntityManager, landing: ObservedLanding): Promise<PaymentRecord | null> {
    const { chain, nonce, acceptBlame, landed, dustUsd } = landing;
    const withdrawId = withdrawIdOf(nonce);
    return this.payments.change(manager, landing.paymentId, (payment, now) =>
      withdrawalLanded(
        payment,
        { chain, nonce, withdrawId, acceptBlame, landed },
        { ...this.config.policy, dustUsd },
        now,
      ),
    );
  }

  private async dustUsd(chain: string): Promise<DecimalString> {
    const nativeUsd = await this.directory.usdPrice(tokenIdentifier(chain, zeroAddress));
    const { dustUsd } = this.config.policy;
    if (nativeUsd === null) return dustUsd;
    const cost = withdrawalCostUsd(await this.chains.get(chain).client.getGasPrice(), nativeUsd);
    return compareDecimals(cost, dustUsd) > 0 ? cost : dustUsd;
  }

  private async holdingsAt({ chain, wallet, blockNumber }: WithdrawnLog): Promise<WalletHolding[]> {
    const { client } = this.chains.get(chain);
    const tokens = await this.directory.listedOn(chain);
    const holdings = await Promise.all(
      tokens.map(async (facts): Promise<WalletHolding> => {
        const { address } = parseTokenIdentifier(facts.token);
        const amount =
          address === zeroAddress
            ? await client.getBalance({ address: wallet, blockNumber })
            : await client.readContract({
                address,
                abi: erc20Abi,
                functionName: 'balanceOf',
                args: [wallet],
                blockNumber,
              });
        return { ...facts, amount };
      }),
    );
    return holdings.filter(({ amount }) => amount > 0n);
  }
}

/** A nonce that this service did not make has no id; its number names it. */
function withdrawIdOf(nonce: bigint): string {
  try {
    return parseWithdrawalNonce(nonce).withdrawId;
  } catch (error) {
    if (error instanceof RangeError) return nonce.toString();
    throw error;
  }
}
