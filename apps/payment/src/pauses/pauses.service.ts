import {
  firstPauseOf,
  forbidden,
  invalidRequest,
  parseTokenIdentifier,
  pausedOf,
  pauseMessage,
  pauseOf,
  ServiceError,
} from '@bascule/contracts';
import type { Pause, PaymentPlan } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { SwitchesService } from '@bascule/switches';
import type { Venue } from '@bascule/venues';
import { Injectable } from '@nestjs/common';
import type { PlannedOnramp } from '../life-cycle/checkouts.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { legParties, planParties } from './pausable-parties.js';

/** Tells clients when to ask again; a pause lasts minutes. */
const RETRY_AFTER_SECONDS = 60;

/** Decides what the operator's switches hold back. Withdrawals, refunds and deposits ask nothing here. */
@Injectable()
export class PausesService {
  constructor(private readonly switches: SwitchesService) {}

  /** Refusal of a new payment: 503 for paused confirms, 403 for the organisation, 400 for a party of the plan. */
  async refusalOf(plan: PaymentPlan, { orgId }: Pick<Caller, 'orgId'>) {
    const switches = await this.switches.current();
    const confirms = pauseOf(switches, 'confirms');
    if (confirms !== undefined) return pausedFor(confirms);
    const organisation = pauseOf(switches, 'organisation', orgId);
    if (organisation !== undefined) return forbidden(pauseMessage(organisation));
    const party = firstPauseOf(switches, planParties(plan));
    if (party === undefined) return null;
    const kind = party.kind === 'chain' ? 'other' : 'provider';
    return invalidRequest({ kind, message: pauseMessage(party) });
  }

  /** Whether the operator has paused anything at all. */
  async areAny(): Promise<boolean> {
    return (await this.switches.current()).paused.length > 0;
  }

  /** The switch that keeps a leg from starting. */
  async ofLeg({ plan }: Pick<PaymentRecord, 'plan'>, index: number): Promise<Pause | undefined> {
    return firstPauseOf(await this.switches.current(), [['execution'], ...legParties(plan, index)]);
  }

  /**
   * Whether a switch may be why a leg has not started.
   * @param venues those that may convert it
   */
  async mayHold(
    payment: Pick<PaymentRecord, 'plan'>,
    index: number,
    venues: readonly Venue[],
  ): Promise<boolean> {
    if ((await this.ofLeg(payment, index)) !== undefined) return true;
    return (await this.venuesOf(venues)).pause !== undefined;
  }

  /** Venues without the paused ones, and the switch of one that is missing. */
  async venuesOf(all: readonly Venue[]): Promise<{ open: Venue[]; pause: Pause | undefined }> {
    const switches = await this.switches.current();
    const paused = pausedOf(switches, 'venue');
    return {
      open: all.filter(({ name }) => !paused.has(name)),
      pause: firstPauseOf(
        switches,
        all.map(({ name }) => ['venue', name] as const),
      ),
    };
  }

  /** Refuses a new checkout. @throws ServiceError 503 while its provider, or the chain of its delivery, is paused */
  async requireCheckout(
    { plan }: Pick<PaymentRecord, 'plan'>,
    { provider }: Pick<PlannedOnramp, 'provider'>,
  ): Promise<void> {
    const { chain } = parseTokenIdentifier(plan.deposit.token);
    const pause = firstPauseOf(await this.switches.current(), [
      ['provider', provider],
      ['chain', chain],
    ]);
    if (pause !== undefined) throw pausedFor(pause);
  }
}

const pausedFor = (pause: Pause): ServiceError =>
  new ServiceError('unavailable', [{ kind: 'unknown', message: pauseMessage(pause) }], {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
