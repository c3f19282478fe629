import { ServiceContext } from '@bascule/process';
import { BridgeRefusedError } from '@bascule/venues';
import type { BridgeQuote } from '@bascule/venues';
import { Injectable } from '@nestjs/common';
import type { LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';
import { bridgeObjection } from './bridge-objection.js';
import { BridgeTransfersClient } from './bridge-transfers.client.js';

/** Whether a leg may hand its money over: `silent` when the bridge could not be asked. */
export type Offer = { kind: 'good' } | { kind: 'bad' | 'silent'; failure: LegFailure };

const REFUSED: LegFailure = { reason: 'bridge', message: 'The bridge does not take it.' };
const SILENT: LegFailure = { reason: 'bridge', message: 'The bridge does not answer.' };

/** Asks bridges before money is locked in them: much may have changed since the payment was quoted. */
@Injectable()
export class BridgeOffers {
  constructor(
    private readonly transfers: BridgeTransfersClient,
    private readonly context: ServiceContext,
  ) {}

  /** @param amount what is to go across, in the smallest unit of the leg's output */
  async ask(payment: PaymentRecord, legIndex: number, amount: bigint, now: Date): Promise<Offer> {
    let quote: BridgeQuote;
    try {
      quote = await this.transfers.quote(payment, legIndex, amount);
    } catch (error) {
      const about = { err: error, paymentId: payment.id, leg: legIndex };
      const isRefused = error instanceof BridgeRefusedError;
      this.context.logger.warn(about, isRefused ? 'a bridge refuses' : 'a bridge does not answer');
      return isRefused ? { kind: 'bad', failure: REFUSED } : { kind: 'silent', failure: SILENT };
    }
    const failure = bridgeObjection(payment, legIndex, quote, now);
    return failure ? { kind: 'bad', failure } : { kind: 'good' };
  }
}
