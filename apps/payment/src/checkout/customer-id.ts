import { testOutcomeOf } from '@bascule/contracts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

interface ConfiguredProvider {
  name: string;
  adapter: string;
  isSandbox: boolean;
}

/** Adapter of the provider that acts on its customers' ids. */
const ACTING_ADAPTER = 'sandbox';

/** Customer for the provider: of a test payment with an outcome on demand, the one that our sandbox provider acts on. */
export function customerId(
  { mode, plan: { funding }, quoteRequest }: Pick<PaymentRecord, 'mode' | 'plan' | 'quoteRequest'>,
  providers: readonly ConfiguredProvider[],
): string | undefined {
  const provider = funding.kind === 'onramp' ? funding.provider : null;
  const acts = providers.some(
    ({ name, adapter, isSandbox }) => name === provider && adapter === ACTING_ADAPTER && isSandbox,
  );
  const actor = mode === 'test' && acts ? testOutcomeOf(quoteRequest)?.sandboxCustomer : null;
  return actor ?? quoteRequest.customer_id;
}
