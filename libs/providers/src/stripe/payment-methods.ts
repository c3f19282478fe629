import type { PaymentMethod } from '@bascule/contracts';
import type { OnrampPlaces } from '../port/onramp-provider.js';

interface StripeMethod {
  /** Lower-case fiat codes; all when absent. */
  fiats?: readonly string[];
  places?: OnrampPlaces;
  /** Seconds from payment to delivery, as we expect them: Stripe does not tell. */
  latencySeconds: number;
}

const MINUTES = 60;
const DAYS = 86_400;

/** Methods of Stripe's page. Its API has no parameter for them: the customer chooses there. */
const METHODS: Readonly<Partial<Record<PaymentMethod, StripeMethod>>> = {
  CREDIT_CARD: { latencySeconds: 10 * MINUTES },
  DEBIT_CARD: { latencySeconds: 10 * MINUTES },
  APPLE_PAY: { latencySeconds: 10 * MINUTES },
  GOOGLE_PAY: { latencySeconds: 10 * MINUTES },
  ACH: { fiats: ['usd'], places: { only: ['USA'] }, latencySeconds: 4 * DAYS },
};

export const stripeMethod = (method: string): StripeMethod | undefined =>
  (METHODS as Readonly<Record<string, StripeMethod>>)[method];

export const ALL_METHODS = Object.keys(METHODS) as readonly PaymentMethod[];

export const sellsFor = (method: StripeMethod, fiat: string): boolean =>
  method.fiats?.includes(fiat) ?? true;
