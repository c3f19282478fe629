import type { ConsumingService } from './event-consumers.js';
import type { TOPICS } from './topics.js';

type Service = ConsumingService | 'catalogue' | 'gateway';

/** Services that publish the events of each topic. */
export const EVENT_PUBLISHERS = {
  catalogue: ['catalogue'],
  price: ['catalogue'],
  organisation: ['gateway'],
  countryRules: ['gateway'],
  switches: ['gateway'],
  venues: ['payment'],
  payment: ['payment'],
  withdrawal: ['withdrawal'],
  // Also of events that the transport refused to publish, so not of consumers alone.
  deadLetter: ['catalogue', 'gateway', 'payment', 'quote', 'webhook-dispatch', 'withdrawal'],
} as const satisfies Record<keyof typeof TOPICS, readonly Service[]>;
