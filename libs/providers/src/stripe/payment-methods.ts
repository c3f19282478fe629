import type { OnrampPlaces } from '../port/onramp-provider.js';
import { MethodTable, type ProviderMethod } from '../wire/method-table.js';

interface StripeMethod extends ProviderMethod {
  places?: OnrampPlaces;
}

const MINUTES = 60;
const DAYS = 86_400;

/** Methods of Stripe's page. Its API has no parameter for them: the customer chooses there. */
export const METHODS = new MethodTable<StripeMethod>('Stripe', {
  CREDIT_CARD: { latencySeconds: 10 * MINUTES },
  DEBIT_CARD: { latencySeconds: 10 * MINUTES },
  APPLE_PAY: { latencySeconds: 10 * MINUTES },
  GOOGLE_PAY: { latencySeconds: 10 * MINUTES },
  ACH: { fiats: ['usd'], places: { only: ['USA'] }, latencySeconds: 4 * DAYS },
});
