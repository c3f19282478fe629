import { Reservations } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { PausesService } from '../pauses/pauses.service.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { parseLegReference } from './leg-reference.js';

/** Holds back legs that an operator has paused since their transactions were recorded, until these are signed. */
@Injectable()
export class ReservedLegsService implements OnModuleInit {
  constructor(
    private readonly reservations: Reservations,
    private readonly reader: PaymentReaderRepository,
    private readonly pauses: PausesService,
  ) {}

  onModuleInit(): void {
    this.reservations.holdWhile((reference) => this.isHeld(reference));
  }

  /** Refunds to wallets go on. */
  private async isHeld(reference: string): Promise<boolean> {
    const leg = parseLegReference(reference);
    if (leg === null || !(await this.pauses.areAny())) return false;
    const payment = (await this.reader.find(leg.paymentId))?.payment;
    return payment !== undefined && (await this.pauses.ofLeg(payment, leg.legIndex)) !== undefined;
  }
}
