import type {
  PaymentPlan,
  Quote,
  QuoteRequest,
  QuoteState,
  RouteStep,
  TokenIdentifier,
} from '@bascule/contracts';
import { tokenIdentifier } from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';

export const USDC = tokenIdentifier('alphanet', developmentAddresses.usdc);
export const USDT = tokenIdentifier('alphanet', developmentAddresses.usdt);
export const WETH = tokenIdentifier('alphanet', developmentAddresses.weth);
export const DECIMALS: Record<TokenIdentifier, number> = { [USDC]: 6, [USDT]: 6, [WETH]: 18 };
export const ORG_ID = '0190b2c3-0000-7000-8000-000000000001';
export const FEE_RECEIVER = '0x00000000000000000000000000000000000FEE01';

const balance = (asset: string) => ({ asset, property: 'BALANCE' as const });

/** 100 USDC, 1 of them for gas, become 0.033 WETH at 3,000 dollars. */
const swapStep: RouteStep = {
  type: 'ONCHAIN_STEP',
  net_effect: {
    consume: [{ account: 'SPW', resource: balance(USDC), amount: '100' }],
    produce: [
      { account: 'DEST', resource: balance(WETH), amount: '0.0328' },
      { account: 'SERVICE', resource: balance(USDC), amount: '1' },
    ],
  },
  pieces_info: [{ type: 'convert' }, { type: 'transfer_out' }],
  step_index: 1,
};

const fundStep = (asset: string, amount: string, type: RouteStep['type']): RouteStep => ({
  type,
  net_effect: {
    consume: [{ account: 'USER', resource: balance(asset), amount }],
    produce: [{ account: 'SPW', resource: balance(USDC), amount: '100' }],
  },
  pieces_info: [{ type: type === 'ONRAMP' ? 'onramp' : 'user_fund' }],
  step_index: 0,
});

export function aQuote(paymentId: string = uuidv7()): Quote {
  return {
    payment_id: paymentId,
    output_amount: { asset: WETH, amount: '0.0328' },
    fees: {
      total_fees: '1.6',
      conversion_fees: '0.6',
      network_fees: '1',
      business_fees: '0',
      currency_symbol: 'usd',
    },
    route: [fundStep(USDC, '100', 'USER_FUND'), swapStep],
    latency_seconds: 12,
  };
}

export const anOnrampQuote = (paymentId?: string): Quote => ({
  ...aQuote(paymentId),
  route: [fundStep('usd', '103', 'ONRAMP'), swapStep],
  onramp: 'swiftramp',
  onramp_method: 'CREDIT_CARD',
});

export function aPlan(): PaymentPlan {
  return {
    funding: { kind: 'token' },
    deposit: { token: USDC, required_amount: '100000000' },
    legs: [
      {
        chain: 'alphanet',
        input_token: USDC,
        input_amount: '100000000',
        max_input: '100000000',
        fees: [{ kind: 'network', receiver: FEE_RECEIVER, amount: '1000000' }],
        output_token: WETH,
        output_amount: '32800000000000000',
        min_output: '32636000000000000',
      },
    ],
  };
}

export const anOnrampPlan = (): PaymentPlan => ({
  funding: {
    kind: 'onramp',
    provider: 'swiftramp',
    method: 'CREDIT_CARD',
    fiat: 'usd',
    fiat_amount: '103',
    provider_quote_id: 'quote-1',
    delivery_amount: '100000000',
  },
  deposit: { token: USDC, required_amount: '99500000' },
  legs: aPlan().legs.map((leg) => ({ ...leg, max_input: '105000000' })),
});

export const aQuoteRequest = (): QuoteRequest => ({
  request: {
    kind: 'FIXED_INPUT',
    fixed_input_amount: { asset: USDC, amount: '100' },
    output_asset: WETH,
  },
  label: 'order 7',
  customer_id: 'customer-1',
  // Most tests have no chain that could simulate the payout.
  allow_unsafe_transfer_out: true,
  features: [],
});

export function aQuoteState(overrides: Partial<QuoteState> = {}): QuoteState {
  return {
    org_id: ORG_ID,
    quote_request: aQuoteRequest(),
    quotes: [{ quote: aQuote(), plan: aPlan() }],
    current_prices: { [USDC]: '1', [WETH]: '3000', usd: '1.0' },
    price_currency: 'usd',
    geolocation: null,
    quoted_at: new Date().toISOString(),
    accept_by: new Date(Date.now() + 300_000).toISOString(),
    ...overrides,
  };
}
