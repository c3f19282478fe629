import { TEST_OUTCOMES, type TestOutcome } from '@bascule/contracts';
import { declarationHash, oneTimeWalletAddress, parseDeclaration } from '@bascule/solidity';
import { describe, expect, it } from '@jest/globals';
import {
  anOnrampPayment,
  aPayment,
  CONFIRMED_AT,
  DESTINATION,
  OWNER,
} from '../testing/a-payment.fixture.js';
import {
  aBridgedPayment,
  aBridgedPlan,
  BETA_USDC,
  ESCROW,
} from '../testing/a-bridged-payment.fixture.js';
import {
  aPlan,
  aQuote,
  aQuoteRequest,
  aQuoteState,
  DECIMALS,
  USDC,
  WETH,
} from '../testing/a-quote.fixture.js';
import { getAddress, zeroAddress } from 'viem';
import { destinationProblem } from './address-problems.js';
import { paymentTerms, tokensOf } from './payment-terms.js';
import type { Confirmation, DeclarationContext } from './payment-terms.js';

const FACTORY = '0x00000000000000000000000000000000000fac70';

const aConfirmation = (): Confirmation => ({
  state: aQuoteState(),
  quote: aQuote(),
  plan: aPlan(),
  ownerAddress: getAddress(OWNER),
  destinationAddress: getAddress(DESTINATION),
  ownerChain: undefined,
  ownerChains: null,
  isUnsafeOwnerAllowed: false,
  expirationMinutes: 10,
  clientRedirectUrl: undefined,
  clientRedirectAfter: undefined,
});
const aContext = (): DeclarationContext => ({
  factory: getAddress(FACTORY),
  executor: getAddress(OWNER),
  chainIdOf: () => 31337,
  executionWindowMs: () => 60_000,
  decimals: DECIMALS,
});

describe('paymentTerms', () => {
  it('agree with their declaration', () => {
    const payment = aPayment().build();
    const declaration = parseDeclaration(payment.declaration);
    expect(payment.walletAddress).toBe(oneTimeWalletAddress(declaration));
    expect(payment.declarationHash).toBe(declarationHash(declaration));
    expect(payment.declarationExpiresAt.getTime()).toBe(Number(declaration.expiry) * 1_000);
  });

  it('give two otherwise equal payments different wallets', () => {
    expect(aPayment().build().walletAddress).not.toBe(aPayment().build().walletAddress);
  });

  it('never let a declaration expire before its deposit window', () => {
    const day = 24 * 3_600_000;
    const window = (payment: { declarationExpiresAt: Date; initiateFundBy: Date }) =>
      payment.declarationExpiresAt.getTime() - payment.initiateFundBy.getTime();
    expect(window(aPayment().build())).toBe(day);
    expect(window(anOnrampPayment().build())).toBe(14 * day);
    expect(aPayment().build().initiateFundBy.getTime() - CONFIRMED_AT.getTime()).toBe(600_000);
  });

  it('have a short deposit window where the quote asks for that outcome', () => {
    const windowOf = (test_outcome?: TestOutcome) => {
      const quote_request = { ...aQuoteRequest(), ...(test_outcome && { test_outcome }) };
      const { initiateFundBy, createdAt } = paymentTerms(
        { ...aConfirmation(), state: aQuoteState({ quote_request }) },
        aContext(),
        CONFIRMED_AT,
      );
      return initiateFundBy.getTime() - createdAt.getTime();
    };
    expect([undefined, ...TEST_OUTCOMES].map(windowOf)).toEqual([
      600_000, 30_000, 10_000, 600_000, 600_000,
    ]);
  });

  it('are declared alike whenever the confirm comes, up to its latest time', () => {
    const [confirmation, context] = [aConfirmation(), aContext()];
    const [asked, continued, latest] = [0, 90_000, 300_000].map(
      (ms) => new Date(CONFIRMED_AT.getTime() + ms),
    );
    const first = paymentTerms(confirmation, context, asked ?? CONFIRMED_AT, latest);
    const second = paymentTerms(confirmation, context, continued ?? CONFIRMED_AT, latest);
    expect(second.declarationHash).toBe(first.declarationHash);
    expect(second.initiateFundBy.getTime() - first.initiateFundBy.getTime()).toBe(90_000);
    expect(first.declarationExpiresAt.getTime()).toBe(CONFIRMED_AT.getTime() + 300_000 + 660_000);
  });

  it('declare the bridge of a leg and its minimum delivery', () => {
    const { legs } = aBridgedPayment().build().declaration;
    expect(
      legs.map(({ chain_id, bridge_adapter, min_bridged }) => [
        chain_id,
        bridge_adapter,
        min_bridged,
      ]),
    ).toEqual([
      ['31337', ESCROW, '98405500'],
      ['31338', zeroAddress, '0'],
    ]);
  });

  it('cap fees at the quoted amount', () => {
    const [leg] = aPayment().build().declaration.legs;
    expect(leg?.fees.map(({ cap }) => cap)).toEqual(['1000000']);
  });
});

describe('tokensOf', () => {
  it('names each token once', () => {
    expect(tokensOf(aPlan())).toEqual([USDC, WETH]);
  });
});

describe('destinationProblem', () => {
  const request = aQuoteRequest();
  const withActions = (dest_address?: string) => ({
    ...request,
    request: {
      ...request.request,
      ...(dest_address === undefined ? {} : { dest_address }),
      custom_actions: {
        actions: [
          { type: 'CallImmediateAction' as const, target: DESTINATION, value: '0', calldata: '0x' },
        ],
        user_estimated_gas: '1',
      },
    },
  });
  const other = `0x${'5'.repeat(40)}`;

  it('allows another destination than the quote’s hint', () => {
    const hinted = { ...request, request: { ...request.request, dest_address: other } };
    expect(destinationProblem(DESTINATION, aPlan(), hinted)).toBeUndefined();
  });

  it('requires the quoted destination for custom actions', () => {
    expect(destinationProblem(DESTINATION, aPlan(), withActions(other))).toContain('custom');
    const same = DESTINATION.toLowerCase();
    expect(destinationProblem(DESTINATION, aPlan(), withActions(same))).toBeUndefined();
    expect(destinationProblem(DESTINATION, aPlan(), withActions())).toBeUndefined();
  });

  it('refuses the bridge and the tokens of every leg', () => {
    const plan = aBridgedPlan();
    expect(destinationProblem(ESCROW.toLowerCase(), plan, request)).toContain('bridge');
    const token = BETA_USDC.slice(BETA_USDC.indexOf(':') + 1);
    expect(destinationProblem(token, plan, request)).toContain('token');
  });

  it('refuses the tokens themselves', () => {
    const token = USDC.slice(USDC.indexOf(':') + 1)
      .toUpperCase()
      .replace('0X', '0x');
    expect(destinationProblem(token, aPlan(), request)).toContain('token');
  });
});
