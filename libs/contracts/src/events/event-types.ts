import { PAYMENT_EVENT_TYPES } from './payment-events.js';
import { TOPICS } from './topics.js';
import { WITHDRAWAL_EVENT_TYPES } from './withdrawal-events.js';
import type { CatalogueEvent, PriceEvent } from './catalogue-events.js';

const CATALOGUE_EVENT_TYPES = [
  'chain.listed',
  'asset.listed',
  'asset.delisted',
] as const satisfies CatalogueEvent['type'][];
const PRICE_EVENT_TYPES = ['price.observed'] as const satisfies PriceEvent['type'][];

/** The types of events a topic has; a consumer dead-letters others. */
export const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  [TOPICS.catalogue.name]: CATALOGUE_EVENT_TYPES,
  [TOPICS.price.name]: PRICE_EVENT_TYPES,
  [TOPICS.payment.name]: PAYMENT_EVENT_TYPES,
  [TOPICS.withdrawal.name]: WITHDRAWAL_EVENT_TYPES,
};
