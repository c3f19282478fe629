import { Chains } from '@bascule/chain';
import type { Bridge, BridgeQuote, BridgeTransfer, BridgeTransferStatus } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { getAddress } from 'viem';
import type { Log } from 'viem';
import { legAt } from '../life-cycle/legs.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { declaredLeg } from './declared-leg.js';

/** Injection token of `ReadonlyMap<string, Bridge>`, by name. */
export const BRIDGES = Symbol('BRIDGES');

/** What bridges say of the transfers of legs. */
@Injectable()
export class BridgeTransfersClient {
  constructor(
    private readonly chains: Chains,
    @Inject(BRIDGES) private readonly bridges: ReadonlyMap<string, Bridge>,
  ) {}

  /** The transfer that the receipt of a leg made. */
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
    if (!transfer) throw new Error(`leg ${legIndex} of ${id} was executed and sent nothing across`);
    return transfer;
  }

  /** What the leg's bridge would deliver now. */
  async quote(payment: PaymentRecord, legIndex: number, amount: bigint): Promise<BridgeQuote> {
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

  isFollowed({ bridge }: BridgeTransfer): boolean {
    return this.bridges.has(bridge);
  }

  status(transfer: BridgeTransfer): Promise<BridgeTransferStatus> {
    const { bridge, originChain, destinationChain } = transfer;
    return this.bridge(bridge).status(transfer, this.between(originChain, destinationChain));
  }

  private between(origin: string, destination: string) {
    return { origin: this.chains.get(origin), destination: this.chains.get(destination) };
  }

  private bridge(name: string): Bridge {
    const bridge = this.bridges.get(name);
    if (!bridge) throw new Error(`there is no bridge ${name} among BRIDGES`);
    return bridge;
  }
}
