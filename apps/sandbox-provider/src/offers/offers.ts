import type { Offer } from './offer.js';
import { swiftramp } from './swiftramp.js';
import { thriftramp } from './thriftramp.js';

/** Available providers by name. */
export const OFFERS: ReadonlyMap<string, Offer> = new Map(
  [swiftramp, thriftramp].map((offer) => [offer.name, offer]),
);
