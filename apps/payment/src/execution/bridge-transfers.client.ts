import { Chains } from '@bascule/chain';
import type { BridgeTransfer, BridgeTransferStatus } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { BridgeRefusedError } from '@bascule/venues';
import type { Bridge, BridgeQuote, WalletRefund } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { getAddress } from 'viem';
import type { Log } from 'viem';
import { BRIDGES } from '../config/payment.config.js';
import { legAt } from '../life-cycle/legs.js';
import type { LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';
import { declaredLeg } from './leg-input.js';

/** Answer of a leg's bridge; `unavailable` while the bridge cannot be asked. */
export type Offer = { kind: 'accepted' } | { kind: 'refused' | 'unavailable'; failure: LegFailure };

const REFUSED: LegFailure = { reason: 'bridge', message: 'The bridge refuses the transfer.' };
const UNAVAILABLE: LegFailure = { reason: 'bridge', message: 'The bridge is unavailable.' };

/** Calls the bridges of legs. */
@Injectable()
export class BridgeTransfersClient {
  constructor(
    private readonly chains: Chains,
    private readonly context: ServiceContext,
    @Inject(BRIDGES) private readonly bridges: ReadonlyMap<string, Bridge>,
  ) {}

  /** Returns the transfer that a leg's receipt opened. */
  async opened(
    payment: PaymentRecord,
    legIndex: number,
    logs: readonly Log[],
  ): Promise<BridgeTransfer> {
    const { id, plan, walletAddress } = payment;
    const transfer = await this.bridge(plan.legs[legIndex]?.bridge?.name ?? '').opened(
      this.between(legAt(payment, legIndex).chain, legAt(payment, legIndex + 1).chain),
      logs,
      getAddress(walletAddress),
    );
    if (!transfer)
      throw new Error(`leg ${legIndex} of ${id} was executed without opening a transfer`);
    return transfer;
  }

  /**
   * Asks the bridge again before money is locked: conditions may have changed since the quote.
   * @param amount to transfer, in the smallest unit of the leg's output
   */
  async offer(payment: PaymentRecord, legIndex: number, amount: bigint, now: Date): Promise<Offer> {
    let quote: BridgeQuote;
    try {
      quote = await this.quote(payment, legIndex, amount);
    } catch (error) {
      const about = { err: error, payment_id: payment.id, leg: legIndex };
      const isRefused = error instanceof BridgeRefusedError;
      this.context.logger.warn(
        about,
        isRefused ? 'bridge refused the transfer' : 'bridge unavailable',
      );
      return isRefused
        ? { kind: 'refused', failure: REFUSED }
        : { kind: 'unavailable', failure: UNAVAILABLE };
    }
    const failure = bridgeObjection(payment, legIndex, quote, now);
    return failure ? { kind: 'refused', failure } : { kind: 'accepted' };
  }

  private async quote(
    payment: PaymentRecord,
    legIndex: number,
    amount: bigint,
  ): Promise<BridgeQuote> {
    const { chain } = legAt(payment, legIndex);
    const next = legAt(payment, legIndex + 1).chain;
    const { outputToken } = declaredLeg(payment, legIndex);
    const { inputToken } = declaredLeg(payment, legIndex + 1);
    return this.bridge(payment.plan.legs[legIndex]?.bridge?.name ?? '').quote({
      ...this.between(chain, next),
      inputToken: outputToken,
      outputToken: inputToken,
      amount,
    });
  }

  isTracked({ bridge }: BridgeTransfer): boolean {
    return this.bridges.has(bridge);
  }

  status(transfer: BridgeTransfer): Promise<BridgeTransferStatus> {
    const { bridge, originChain, destinationChain } = transfer;
    return this.bridge(bridge).status(transfer, this.between(originChain, destinationChain));
  }

  /** Gas of a refund to the wallet. */
  walletRefundGas({ bridge }: BridgeTransfer): bigint {
    return this.bridge(bridge).walletRefundGas;
  }

  walletRefund(transfer: BridgeTransfer, signal: AbortSignal): Promise<WalletRefund> {
    const origin = this.chains.get(transfer.originChain);
    return this.bridge(transfer.bridge).walletRefund(transfer, origin, { signal });
  }

  private between(origin: string, destination: string) {
    return { origin: this.chains.get(origin), destination: this.chains.get(destination) };
  }

  private bridge(name: string): Bridge {
    const bridge = this.bridges.get(name);
    if (!bridge) throw new Error(`bridge ${name} is not configured in BRIDGES`);
    return bridge;
  }
}

/** Reason why a bridge's terms are not acceptable; null for acceptable terms. */
export function bridgeObjection(
  { plan, declarationExpiresAt }: PaymentRecord,
  legIndex: number,
  { delivered, latencySeconds }: Pick<BridgeQuote, 'delivered' | 'latencySeconds'>,
  now: Date,
): LegFailure | null {
  const least = plan.legs[legIndex]?.bridge?.min_bridged;
  if (least === undefined || delivered < BigInt(least)) {
    return { reason: 'bridge', message: 'The bridge does not deliver the declared minimum.' };
  }
  if (now.getTime() + latencySeconds * 1000 >= declarationExpiresAt.getTime()) {
    return { reason: 'expired', message: 'The declaration expires before the bridge delivers.' };
  }
  return null;
}
