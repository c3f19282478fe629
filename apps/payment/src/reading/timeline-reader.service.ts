import type { PaymentTimeline, TimelineWait } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { DustService } from '../costs/dust.service.js';
import type { FoundPayment } from '../persistence/payment-reader.repository.js';
import { TimelineRepository } from '../persistence/timeline.repository.js';
import { fundsOf } from '../timeline/funds.js';
import { waitsFor } from '../timeline/waits-for.js';

/** Builds the timeline of a payment, for the API and for operators. */
@Injectable()
export class TimelineReaderService {
  constructor(
    private readonly timelines: TimelineRepository,
    @Inject(DustService) private readonly dust: Pick<DustService, 'known'>,
  ) {}

  /**
   * Leaves out entries that are newer than the payment that was read, so that both tell the same state.
   * @param after sequence of the last entry of the page before; 0 for the first page
   */
  async page(
    { payment, now, timelineLength: upTo }: FoundPayment,
    { after, limit }: { after: number; limit: number },
  ): Promise<PaymentTimeline> {
    const found = await this.timelines.page(payment.id, { after, upTo, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const last = entries.at(-1)?.sequence ?? after;
    return {
      payment_id: payment.id,
      status: payment.status,
      waits_for: await this.explained(payment.id, waitsFor(payment, this.dust.known, now), upTo),
      funds: fundsOf(payment),
      entries,
      omitted: await this.timelines.omitted(payment.id),
      next_pagination_key: found.length > limit ? String(last) : null,
    };
  }

  /** Adds why a leg does not start, unless something happened to it since. */
  private async explained(
    paymentId: string,
    wait: TimelineWait | null,
    upTo: number,
  ): Promise<TimelineWait | null> {
    if (wait?.kind !== 'EXECUTION' || wait.leg === undefined) return wait;
    const reason = await this.timelines.waitReason(paymentId, wait.leg, upTo);
    if (reason === null) return wait;
    const { message: _, ...rest } = wait;
    return { ...rest, reason };
  }
}
