import type { Offer } from './offer.js';
import { swiftramp } from './swiftramp.js';
import { thriftramp } from './thriftramp.js';

/** Every provider that can be played, by name. */
export const OFFERS: ReadonlyMap<string, Offer> = new Map(
  [swiftramp, thriftramp].map((offer) => [offer.name, offer]),
);
