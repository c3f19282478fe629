import { chainDefinitions } from '@bascule/chain';
import type { DecimalString, PaymentPlan, Quote, TokenIdentifier } from '@bascule/contracts';
import { contractAddresses, developmentAddresses } from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import { paymentTerms } from '../confirm/payment-terms.js';
import { derive } from '../life-cycle/derive.js';
import { recordDeposit } from '../life-cycle/funding.js';
import { legSettled, legSubmitted } from '../life-cycle/legs.js';
import { newPayment } from '../life-cycle/payment-record.js';
import type { Deposit, LegSettlement, PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import {
  anOnrampPlan,
  anOnrampQuote,
  aPlan,
  aQuote,
  aQuoteState,
  DECIMALS,
  USDC,
} from './a-quote.fixture.js';

export const CONFIRMED_AT = new Date('2026-11-21T12:00:00.000Z');
export const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const DESTINATION = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const aPolicy: PaymentPolicy = {
  dustUsd: '0.05',
  stalledAfterMs: 600_000,
  taintUsd: '1',
  acceptsUnknownSenders: false,
};

export const minutesAfter = (minutes: number, from = CONFIRMED_AT): Date =>
  new Date(from.getTime() + minutes * 60_000);

/** 100 USDC, confirmed, a minute after the confirm. */
export function aDeposit(overrides: Partial<Deposit> = {}): Deposit {
  const id = uuidv7();
  return {
    id,
    chain: 'alphanet',
    token: USDC,
    amount: 100_000_000n,
    decimals: 6,
    usdPrice: '1',
    sender: OWNER,
    transactionHash: `0x${id.replaceAll('-', '').padStart(64, '0')}`,
    position: 'log:0',
    blockNumber: 11n,
    blockHash: `0x${'b'.repeat(64)}`,
    blockTimestamp: minutesAfter(1),
    confirmed: true,
    ...overrides,
  };
}

export const aSettlement = (overrides: Partial<LegSettlement> = {}): LegSettlement => ({
  input: 99_000_000n,
  fees: [1_000_000n],
  output: 32_900_000_000_000_000n,
  blockNumber: 1_000n,
  blockTimestamp: minutesAfter(2),
  ...overrides,
});

export const HASH = `0x${'a'.repeat(64)}`;

/** Builds a payment by the functions of the life cycle. */
export class PaymentBuilder {
  constructor(private readonly payment: PaymentRecord) {}

  changed(change: (payment: PaymentRecord, now: Date) => PaymentRecord, now: Date) {
    return new PaymentBuilder(derive(change(this.payment, now), now));
  }

  with(overrides: Partial<PaymentRecord>): PaymentBuilder {
    return new PaymentBuilder({ ...this.payment, ...overrides });
  }

  deposited(overrides: Partial<Deposit> = {}): PaymentBuilder {
    const deposit = aDeposit(overrides);
    return this.changed((payment) => recordDeposit(payment, deposit), deposit.blockTimestamp);
  }

  /** Sends the first leg's transaction. */
  submitted(): PaymentBuilder {
    const sent = { attempt: 1, nextLookAt: minutesAfter(2) };
    return this.changed((payment) => legSubmitted(payment, 0, sent), minutesAfter(2));
  }

  /** Pays out what earlier deposits fund. */
  paidOut(overrides: Partial<LegSettlement> = {}): PaymentBuilder {
    return this.submitted().changed(
      (payment, now) => legSettled(payment, 0, aSettlement(overrides), HASH, now),
      minutesAfter(3),
    );
  }

  executing(): PaymentBuilder {
    return this.deposited().submitted();
  }

  complete(overrides: Partial<LegSettlement> = {}): PaymentBuilder {
    return this.deposited().paidOut(overrides);
  }

  build(): PaymentRecord {
    return this.payment;
  }
}

interface Built {
  quote: Quote;
  plan: PaymentPlan;
  decimals?: Record<TokenIdentifier, number>;
  prices?: Record<TokenIdentifier, DecimalString>;
}

export function built({ quote, plan, decimals = DECIMALS, prices = {} }: Built): PaymentBuilder {
  const state = aQuoteState();
  const terms = paymentTerms(
    {
      state: { ...state, current_prices: { ...state.current_prices, ...prices } },
      quote,
      plan,
      ownerAddress: OWNER,
      destinationAddress: DESTINATION,
      ownerChain: undefined,
      ownerChains: null,
      isUnsafeOwnerAllowed: false,
      expirationMinutes: 10,
      clientRedirectUrl: undefined,
      clientRedirectAfter: undefined,
    },
    {
      factory: contractAddresses.oneTimeWalletFactory,
      executor: developmentAddresses.executor,
      chainIdOf: (chain) => chainDefinitions[chain]?.chainId ?? 0,
      executionWindowMs: (kind) => (kind === 'onramp' ? 14 : 1) * 24 * 3_600_000,
      decimals,
    },
    CONFIRMED_AT,
  );
  return new PaymentBuilder(newPayment(terms, uuidv7));
}

/** 100 USDC to WETH, confirmed at {@link CONFIRMED_AT}, to be funded within ten minutes. */
export const aPayment = (): PaymentBuilder => built({ quote: aQuote(), plan: aPlan() });
/** 103 US dollars to 100 USDC to WETH. */
export const anOnrampPayment = (): PaymentBuilder =>
  built({ quote: anOnrampQuote(), plan: anOnrampPlan() });
