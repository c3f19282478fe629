import { chainDefinitions } from '@bascule/chain';
import { contractAddresses, developmentAddresses } from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import { paymentTerms } from '../../apps/payment/dist/confirm/payment-terms.js';
import { newPayment } from '../../apps/payment/dist/life-cycle/payment-record.js';
import type { PaymentRecord } from '../../apps/payment/dist/life-cycle/payment-record.js';
import {
  aPlan,
  aQuote,
  aQuoteState,
  DECIMALS,
} from '../../apps/payment/src/testing/a-quote.fixture.js';

const DAY_MS = 86_400_000;

/** A payment as a confirm makes it, with an id and a wallet of its own. */
export function aConfirmedPayment(orgId: string): PaymentRecord {
  const quote = aQuote(uuidv7());
  const terms = paymentTerms(
    {
      state: aQuoteState({ org_id: orgId }),
      quote,
      plan: aPlan(),
      ownerAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      destinationAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      ownerChain: undefined,
      ownerChains: null,
      isUnsafeOwnerAllowed: false,
      expirationMinutes: 60,
      clientRedirectUrl: undefined,
      clientRedirectAfter: undefined,
    },
    {
      factory: contractAddresses.oneTimeWalletFactory,
      executor: developmentAddresses.executor,
      chainIdOf: (chain) => chainDefinitions[chain]?.chainId ?? 0,
      executionWindowMs: () => DAY_MS,
      decimals: DECIMALS,
    },
    new Date(),
  );
  return newPayment(terms, uuidv7);
}
