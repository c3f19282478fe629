import type { CATALOGUE_EVENT_TYPES, PRICE_EVENT_TYPES } from './catalogue-events.js';
import type { COUNTRY_RULES_EVENT_TYPES } from './country-rules-events.js';
import type { DeadLetterEventType } from './dead-letter-events.js';
import type { ORGANISATION_EVENT_TYPES } from './organisation-events.js';
import type { PaymentEventType } from './payment-events.js';
import type { SWITCH_EVENT_TYPES } from './switch-events.js';
import type { VENUE_EVENT_TYPES } from './venue-events.js';
import type { WITHDRAWAL_EVENT_TYPES } from './withdrawal-events.js';

export const CONSUMING_SERVICES = ['payment', 'quote', 'webhook-dispatch', 'withdrawal'] as const;
export type ConsumingService = (typeof CONSUMING_SERVICES)[number];

export type EventType =
  | (typeof CATALOGUE_EVENT_TYPES)[number]
  | (typeof PRICE_EVENT_TYPES)[number]
  | (typeof ORGANISATION_EVENT_TYPES)[number]
  | (typeof COUNTRY_RULES_EVENT_TYPES)[number]
  | (typeof SWITCH_EVENT_TYPES)[number]
  | (typeof VENUE_EVENT_TYPES)[number]
  | PaymentEventType
  | (typeof WITHDRAWAL_EVENT_TYPES)[number]
  | DeadLetterEventType;

type Decision = 'handled' | 'ignored';

const ABOUT_PAYMENTS = {
  payment: 'ignored',
  quote: 'handled',
  // The state decides, not the type: a later event repeats an outcome, which is delivered once.
  'webhook-dispatch': 'handled',
  withdrawal: 'handled',
} as const;
const PROJECTED_FOR_MONEY = {
  payment: 'handled',
  quote: 'handled',
  'webhook-dispatch': 'ignored',
  withdrawal: 'handled',
} as const;
const CONFIGURED_BY_OPERATORS = {
  payment: 'handled',
  quote: 'handled',
  'webhook-dispatch': 'ignored',
  withdrawal: 'ignored',
} as const;
const ABOUT_VENUES = {
  payment: 'ignored',
  quote: 'handled',
  'webhook-dispatch': 'ignored',
  withdrawal: 'ignored',
} as const;
const ABOUT_WITHDRAWALS = {
  payment: 'handled',
  quote: 'ignored',
  'webhook-dispatch': 'ignored',
  withdrawal: 'ignored',
} as const;
const IGNORED = {
  payment: 'ignored',
  quote: 'ignored',
  'webhook-dispatch': 'ignored',
  withdrawal: 'ignored',
} as const;

/** Each service's decision about each event; a service subscribes to the topics of the events it handles. */
export const EVENT_CONSUMERS = {
  // Chains are configuration in every service.
  'chain.listed': IGNORED,
  'asset.listed': PROJECTED_FOR_MONEY,
  'asset.delisted': PROJECTED_FOR_MONEY,
  'price.observed': PROJECTED_FOR_MONEY,
  'organisation.configured': { ...CONFIGURED_BY_OPERATORS, withdrawal: 'handled' },
  'country_rules.changed': CONFIGURED_BY_OPERATORS,
  // Withdrawals always work: their service knows no switch.
  'switches.changed': CONFIGURED_BY_OPERATORS,
  // Payment measures the ratings itself.
  'venue.rated': ABOUT_VENUES,
  'payment.confirmed': ABOUT_PAYMENTS,
  'payment.funded': ABOUT_PAYMENTS,
  'payment.updated': ABOUT_PAYMENTS,
  'payment.completed': ABOUT_PAYMENTS,
  'payment.failed': ABOUT_PAYMENTS,
  'payment.expired': ABOUT_PAYMENTS,
  'payment.withdrawn': ABOUT_PAYMENTS,
  'payment.tainted': ABOUT_PAYMENTS,
  'withdrawal.requested': ABOUT_WITHDRAWALS,
  'withdrawal.submitted': ABOUT_WITHDRAWALS,
  'withdrawal.succeeded': ABOUT_WITHDRAWALS,
  'withdrawal.failed': ABOUT_WITHDRAWALS,
  'withdrawal.expired': ABOUT_WITHDRAWALS,
  'withdrawal.party_sanctioned': ABOUT_WITHDRAWALS,
  'withdrawal.broadcast': ABOUT_WITHDRAWALS,
  // Operators read dead letters; no service acts on them.
  'dead-letter.recorded': IGNORED,
} as const satisfies Record<EventType, Record<ConsumingService, Decision>>;

export type HandledEventType<Service extends ConsumingService> = {
  [Type in EventType]: (typeof EVENT_CONSUMERS)[Type][Service] extends 'handled' ? Type : never;
}[EventType];

const decisions: Readonly<Record<string, Record<ConsumingService, Decision> | undefined>> =
  EVENT_CONSUMERS;

/**
 * Narrows an event to those that the service has decided to handle. True for a type that only newer versions know:
 * such events reach projections alone, which apply their state.
 */
export const isHandledBy = <Service extends ConsumingService, Event extends { type: EventType }>(
  service: Service,
  event: Event,
): event is Extract<Event, { type: HandledEventType<Service> }> =>
  decisions[event.type]?.[service] !== 'ignored';
